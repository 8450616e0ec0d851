import {
  type AnswerOf,
  type Attempt,
  type BodyOf,
  ENDPOINTS,
  type EndpointName,
  type Prize,
  type Round,
  type User,
} from '../../contract/api.ts'

const SUCCESSES: Readonly<Record<string, string>> = {
  200: 'Answered',
  201: 'Created',
  204: 'Done, with no content',
}

/** An example body and answer of one endpoint. */
type Example<Name extends EndpointName> = {
  readonly answer: AnswerOf<Name>
} & (undefined extends BodyOf<Name> ? unknown : { readonly body: BodyOf<Name> })

const user: User = { id: 7, username: 'Ada', taps_balance: 24 }
const round: Round = { token: 'dGFwcw.round', target_time: 3.36 }
const next: Round = { token: 'dGFwcw.next', target_time: 2.09 }
const prize: Prize = { taps: 24, held_until: '2026-11-25T12:15:00Z', held_seconds: 900 }
const heldForUser: Prize = { taps: 24, held_until: null, held_seconds: null }
const attempt: Attempt = {
  id: 1_042,
  username: 'Mellow Walnut 354',
  is_guest: true,
  target_time: 3.36,
  actual_time: 3.395,
  difference: 0.035,
  taps_added: 1,
  claimed: false,
  verified: true,
  won_taps: 24,
  created_at: '2026-11-25T12:00:00Z',
}
const { username, created_at } = attempt
const password = 'correct horse battery'
const signedIn = { user, prize: heldForUser, round: next }

/** An example of each endpoint, for the OpenAPI document. */
export const EXAMPLES: { readonly [Name in EndpointName]: Example<Name> } = {
  session: { answer: { user: null, rank: null, prize: null, round } },
  startRound: {
    body: { round: round.token, username },
    answer: { start: 'dGFwcw.start', target_time: round.target_time },
  },
  recordAttempt: {
    body: { start: 'dGFwcw.start', username, actual_time: 3.395 },
    answer: { attempt, verified: true, reason: null, prize, round: next },
  },
  recentAttempts: { answer: { attempts: [attempt] } },
  myAttempts: { answer: { attempts: [attempt] } },
  leaderboard: { answer: { leaderboard: [{ username: 'Ada', taps_balance: 24 }] } },
  prizePool: { answer: { taps: 3, last_win: { username, is_guest: true, won_taps: 24, created_at } } },
  login: { body: { username: 'Ada', password }, answer: signedIn },
  createAccount: { body: { username: 'Ada', password }, answer: signedIn },
  logout: { answer: null },
  claim: { answer: { taps: 24, user } },
  changePassword: { body: { password, new_password: 'staple battery horse' }, answer: null },
  deleteAccount: { body: { password }, answer: null },
}

interface Content {
  readonly content?: Record<string, { example?: unknown }>
}

interface Operation {
  readonly requestBody?: Content
  readonly responses: Record<string, Content & { description: string }>
}

/** Adds each endpoint's example, and describes the successful answers. */
export function addExamples(paths: Readonly<Record<string, unknown>>): void {
  for (const name of Object.keys(EXAMPLES) as EndpointName[]) {
    const { url, method, answers } = ENDPOINTS[name]
    const operation = (paths[url] as Record<string, Operation>)[method.toLowerCase()]
    const example: { answer: unknown; body?: unknown } = EXAMPLES[name]
    setExample(operation?.requestBody, example.body)
    for (const status of Object.keys(answers)) {
      const answer = operation?.responses[status]
      if (!answer) continue
      answer.description = SUCCESSES[status] ?? 'Done'
      if (example.answer !== null) setExample(answer, example.answer)
    }
  }
}

function setExample({ content }: Content = {}, example: unknown): void {
  for (const media of Object.values(content ?? {})) media.example = example
}

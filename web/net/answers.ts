import type * as contract from '../../contract/api.ts'
import type { LivePing } from '../../contract/live.ts'

/** A method and URL of the contract, such as `GET /api/session`. */
export type Call = { [Of in contract.Method]: `${Of} ${contract.UrlOf<Of>}` }[contract.Method]

export type AnswerTo<To extends Call> = To extends `${infer Of extends contract.Method} ${infer Url}`
  ? contract.AnswerOf<contract.EndpointAt<Of, Url>>
  : never

export type Session = AnswerTo<'GET /api/session'>
export type Recorded = AnswerTo<'POST /api/attempts'>
export type MyAttemptList = AnswerTo<'GET /api/attempts/mine'>

/** The names of types as `typeof` gives them, or a check of one's own. */
type Check = 'string' | 'number' | 'boolean' | ((value: unknown) => boolean)

function matches(value: unknown, check: Check): boolean {
  return typeof check === 'string' ? typeof value === check : check(value)
}

const isNothing = (value: unknown) => value === null

const orNull = (check: Check) => (value: unknown) => value === null || matches(value, check)

const listOf = (check: Check) => (value: unknown) =>
  Array.isArray(value) && value.every(item => matches(item, check))

/** Checks the fields that the page uses. Ignores all others, because the server may be newer or older. */
function objectWith<Body>(fields: Partial<Record<keyof Body, Check>>) {
  const checks = Object.entries<Check>(fields as Record<string, Check>)
  return (value: unknown): value is Body =>
    typeof value === 'object' &&
    value !== null &&
    checks.every(([name, check]) => matches((value as Record<string, unknown>)[name], check))
}

const isUser = objectWith<contract.User>({ id: 'number', username: 'string', taps_balance: 'number' })
const isPrize = orNull(
  objectWith<contract.Prize>({
    taps: 'number',
    held_seconds: orNull('number'),
  }),
)
export const isRound = objectWith<contract.Round>({ token: 'string', target_time: 'number' })
const isRecord = objectWith<contract.PlayerRecord>({
  rounds: 'number',
  best: orNull('number'),
  streak: 'number',
})
const isAttempt = objectWith<contract.Attempt>({
  id: 'number',
  username: 'string',
  is_guest: 'boolean',
  target_time: 'number',
  actual_time: 'number',
  difference: 'number',
  verified: 'boolean',
  won_taps: orNull('number'),
})
const isAttemptList = objectWith<contract.AttemptList>({ attempts: listOf(isAttempt) })
const isSignedIn = objectWith<contract.SignedIn>({ user: isUser, prize: isPrize, round: isRound })
const isRow = objectWith<contract.User>({ username: 'string', taps_balance: 'number' })
const isHand = objectWith<contract.Today['today'][number]>({
  username: 'string',
  is_guest: 'boolean',
  average: 'number',
})
const isLastWin = objectWith<contract.LastWin>({
  username: 'string',
  is_guest: 'boolean',
  won_taps: 'number',
  created_at: 'string',
})

const CHECKS: Readonly<Record<Call, Check>> = {
  'GET /api/session': objectWith<Session>({
    user: orNull(isUser),
    rank: orNull('number'),
    prize: isPrize,
    round: isRound,
    record: isRecord,
  }),
  'POST /api/rounds': objectWith<contract.Start>({ start: 'string' }),
  'POST /api/attempts': objectWith<Recorded>({
    attempt: isAttempt,
    reason: orNull('string'),
    prize: isPrize,
    round: isRound,
    record: isRecord,
  }),
  'GET /api/attempts': isAttemptList,
  'GET /api/attempts/mine': objectWith<MyAttemptList>({
    attempts: listOf(isAttempt),
    record: isRecord,
  }),
  'GET /api/leaderboard': objectWith<contract.Leaderboard>({ leaderboard: listOf(isRow) }),
  'GET /api/today': objectWith<contract.Today>({ day: 'string', today: listOf(isHand) }),
  'GET /api/prize-pool': objectWith<contract.PrizePool>({ taps: 'number', last_win: orNull(isLastWin) }),
  'POST /api/login': isSignedIn,
  'POST /api/users': isSignedIn,
  'POST /api/claim': objectWith<contract.Claimed>({ taps: 'number', user: isUser }),
  'POST /api/logout': isNothing,
  'POST /api/password': isNothing,
  'POST /api/users/delete': isNothing,
}

/** Returns whether a body is what the contract promises; null stands for no content. */
export function isAnswer<To extends Call>(call: To, body: unknown): body is AnswerTo<To> {
  return matches(body, CHECKS[call])
}

/** Returns whether the data of a live event is a ping of the game. */
export const isPing = objectWith<LivePing>({ now: 'string' })

import type {
  AnswerOf,
  Attempt,
  Claimed,
  EndpointAt,
  LastWin,
  Leaderboard,
  Method,
  Prize,
  PrizePool,
  ProblemBody,
  Recorded,
  Round,
  Session,
  SignedIn,
  Start,
  UrlOf,
  User,
} from '../../contract/api.ts'
import type { LivePing } from '../../contract/live.ts'
import { PROBLEM_CODES } from '../../contract/problems.ts'

/** A method and URL of the contract, such as `GET /api/session`. */
export type Call = { [Of in Method]: `${Of} ${UrlOf<Of>}` }[Method]

export type AnswerTo<To extends Call> = To extends `${infer Of extends Method} ${infer Url}`
  ? AnswerOf<EndpointAt<Of, Url>>
  : never

type Check = (value: unknown) => boolean

const isText: Check = value => typeof value === 'string'
const isNumber: Check = value => typeof value === 'number'
const isFlag: Check = value => typeof value === 'boolean'
const isNothing: Check = value => value === null

const orNull =
  (check: Check): Check =>
  value =>
    value === null || check(value)

const listOf =
  (check: Check): Check =>
  value =>
    Array.isArray(value) && value.every(check)

/** Checks the fields that the page uses. Ignores all others, because the server may be newer or older. */
function objectWith<Body>(fields: Partial<Record<keyof Body, Check>>): Check {
  const checks = Object.entries<Check>(fields as Record<string, Check>)
  return value =>
    typeof value === 'object' &&
    value !== null &&
    checks.every(([name, check]) => check((value as Record<string, unknown>)[name]))
}

const isUser = objectWith<User>({ id: isNumber, username: isText, taps_balance: isNumber })
const isPrize = orNull(
  objectWith<Prize>({
    taps: isNumber,
    held_seconds: value => value === undefined || orNull(isNumber)(value),
  }),
)
const isRound = objectWith<Round>({ token: isText, target_time: isNumber })
const isAttempt = objectWith<Attempt>({
  id: isNumber,
  username: isText,
  is_guest: isFlag,
  target_time: isNumber,
  actual_time: isNumber,
  difference: isNumber,
  verified: isFlag,
  won_taps: orNull(isNumber),
})
const isAttemptList = objectWith<{ attempts: unknown }>({ attempts: listOf(isAttempt) })
const isSignedIn = objectWith<SignedIn>({ user: isUser, prize: isPrize, round: isRound })
const isLastWin = objectWith<LastWin>({
  username: isText,
  is_guest: isFlag,
  won_taps: isNumber,
  created_at: isText,
})

const CHECKS: Readonly<Record<Call, Check>> = {
  'GET /api/session': objectWith<Session>({
    user: orNull(isUser),
    rank: orNull(isNumber),
    prize: isPrize,
    round: isRound,
  }),
  'POST /api/rounds': objectWith<Start>({ start: isText }),
  'POST /api/attempts': objectWith<Recorded>({
    attempt: isAttempt,
    reason: orNull(isText),
    prize: isPrize,
    round: isRound,
  }),
  'GET /api/attempts': isAttemptList,
  'GET /api/attempts/mine': isAttemptList,
  'GET /api/leaderboard': objectWith<Leaderboard>({
    leaderboard: listOf(objectWith<User>({ username: isText, taps_balance: isNumber })),
  }),
  'GET /api/prize-pool': objectWith<PrizePool>({ taps: isNumber, last_win: orNull(isLastWin) }),
  'POST /api/login': isSignedIn,
  'POST /api/users': isSignedIn,
  'POST /api/claim': objectWith<Claimed>({ taps: isNumber, user: isUser }),
  'POST /api/logout': isNothing,
  'POST /api/password': isNothing,
  'POST /api/users/delete': isNothing,
}

/** Returns whether a body is what the contract promises; null stands for no content. */
export function isAnswer<To extends Call>(call: To, body: unknown): body is AnswerTo<To> {
  return CHECKS[call](body)
}

const isOurProblem = objectWith<ProblemBody>({
  code: code => PROBLEM_CODES.some(known => known === code),
  title: isText,
  round: round => round === undefined || isRound(round),
})

/** Returns whether a body is a refusal by the game. */
export function isRefusal(body: unknown): body is ProblemBody {
  return isOurProblem(body)
}

const isOurPing = objectWith<LivePing>({ now: isText })

/** Returns whether the data of a live event is a ping of the game. */
export function isPing(data: unknown): data is LivePing {
  return isOurPing(data)
}

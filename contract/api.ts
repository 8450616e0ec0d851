import { type Static, type TSchema, Type } from 'typebox'
import type { CallLimit } from './limits.ts'
import type { ProblemCode } from './problems.ts'
import { ACTUAL_MAX_MS, LEADERBOARD_SIZE, MY_ATTEMPTS, NAME_MAX_LENGTH, RECENT_ATTEMPTS } from './rules.ts'

/**
 * The HTTP contract, described once: validation, static types and the OpenAPI document all come from
 * here. Field names are the specification's. Times are seconds with at most 3 decimals, TAPS are whole
 * numbers, instants are ISO 8601 UTC.
 */

const object = <Properties extends Record<string, TSchema>>(properties: Properties, title: string) =>
  Type.Object(properties, { additionalProperties: false, title })

/** As a list of types: a value of an `anyOf` is validated again, slowly, whenever it is serialized. */
const nullable = <Schema extends TSchema & { type: string }>(schema: Schema) =>
  Type.Unsafe<Static<Schema> | null>({ ...schema, type: [schema.type, 'null'] })

const Id = Type.Integer({ minimum: 1 })
const Taps = Type.Integer({ minimum: 0 })
const Seconds = Type.Number({ multipleOf: 0.001 })
const Instant = Type.String({ format: 'date-time' })
/** A signed round is 60 to 100 characters; anything far longer is not one. */
const Token = Type.String({ maxLength: 256 })
/** A start holds a name too, of up to 3 bytes for each of its code units: 881 characters at most. */
const StartToken = Type.String({ maxLength: 1_024 })
/** Only bounds the input: what a name or a password may be is checked, with a sentence, by the handler. */
const NameInput = Type.String({ maxLength: NAME_MAX_LENGTH })
const PasswordInput = Type.String({ maxLength: 1_024 })

export const User = object({ id: Id, username: Type.String(), taps_balance: Taps }, 'User')

export const Attempt = object(
  {
    id: Id,
    username: Type.String(),
    is_guest: Type.Boolean(),
    target_time: Seconds,
    actual_time: Seconds,
    difference: Seconds,
    taps_added: Taps,
    claimed: Type.Boolean(),
    verified: Type.Boolean(),
    won_taps: nullable(Taps),
    created_at: Instant,
  },
  'Attempt',
)

export const Prize = object(
  { taps: Taps, held_until: nullable(Instant), held_seconds: nullable(Type.Integer({ minimum: 0 })) },
  'Prize',
)

export const Round = object({ token: Type.String(), target_time: Seconds }, 'Round')

export const Session = object(
  {
    user: nullable(User),
    rank: nullable(Type.Integer({ minimum: 1 })),
    prize: nullable(Prize),
    round: Round,
  },
  'Session',
)

export const Start = object({ start: Type.String(), target_time: Seconds }, 'Start')

const REASONS = ['clock', 'flagged'] as const
/** Why an attempt cannot win, however close it came. */
export type Reason = (typeof REASONS)[number]

export const Recorded = object(
  {
    attempt: Attempt,
    verified: Type.Boolean(),
    reason: Type.Unsafe<Reason | null>({ type: ['string', 'null'], enum: [...REASONS, null] }),
    prize: nullable(Prize),
    round: Round,
  },
  'Recorded',
)

export const AttemptList = listOf(RECENT_ATTEMPTS, 'AttemptList')
export const MyAttemptList = listOf(MY_ATTEMPTS, 'MyAttemptList')

function listOf(maxItems: number, name: string) {
  return object({ attempts: Type.Array(Attempt, { maxItems }) }, name)
}

export const Leaderboard = object(
  {
    leaderboard: Type.Array(object({ username: Type.String(), taps_balance: Taps }, 'LeaderboardRow'), {
      maxItems: LEADERBOARD_SIZE,
    }),
  },
  'Leaderboard',
)

export const LastWin = object(
  { username: Type.String(), is_guest: Type.Boolean(), won_taps: Taps, created_at: Instant },
  'LastWin',
)

export const PrizePool = object({ taps: Taps, last_win: nullable(LastWin) }, 'PrizePool')

export const SignedIn = object({ user: User, prize: nullable(Prize), round: Round }, 'SignedIn')

export const Claimed = object({ taps: Taps, user: User }, 'Claimed')

/** RFC 9457 problem details; `title` is the sentence a person reads. */
export const ProblemBody = object(
  {
    status: Type.Integer(),
    code: Type.Unsafe<ProblemCode>({ type: 'string' }),
    title: Type.String(),
    round: Type.Optional(Round),
    id: Type.Optional(Type.String({ description: 'Names this failure in the server log' })),
  },
  'Problem',
)

/** The name may come with Start: then it is judged there, and Stop's does not count. */
export const StartBody = object({ round: Token, username: Type.Optional(NameInput) }, 'StartBody')
export const AttemptBody = object(
  {
    start: StartToken,
    username: NameInput,
    actual_time: Type.Number({ minimum: 0.001, maximum: ACTUAL_MAX_MS / 1_000, multipleOf: 0.001 }),
  },
  'AttemptBody',
)
/** Both optional, so that a missing one gets the sentence of the login form and not a schema's words. */
export const LoginBody = object(
  { username: Type.Optional(NameInput), password: Type.Optional(PasswordInput) },
  'LoginBody',
)
export const AccountBody = object({ username: NameInput, password: PasswordInput }, 'AccountBody')
export const PasswordBody = object({ password: PasswordInput, new_password: PasswordInput }, 'PasswordBody')
export const DeletionBody = object({ password: PasswordInput }, 'DeletionBody')

export type User = Static<typeof User>
export type Attempt = Static<typeof Attempt>
export type Prize = Static<typeof Prize>
export type Round = Static<typeof Round>
export type Session = Static<typeof Session>
export type Start = Static<typeof Start>
export type Recorded = Static<typeof Recorded>
export type AttemptList = Static<typeof AttemptList>
export type Leaderboard = Static<typeof Leaderboard>
export type LastWin = Static<typeof LastWin>
export type PrizePool = Static<typeof PrizePool>
export type SignedIn = Static<typeof SignedIn>
export type Claimed = Static<typeof Claimed>
export type StartBody = Static<typeof StartBody>
export type AttemptBody = Static<typeof AttemptBody>

/** What a failed call answers. `round` comes with the codes that end a round; `id` with a failure of ours. */
export type ProblemBody = Static<typeof ProblemBody>

/** One call: where it is, how often, what it takes, what it answers and how it can refuse. */
export interface Call {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly limit: CallLimit
  readonly summary: string
  readonly body?: TSchema
  readonly answers: Readonly<Record<number, TSchema>>
  /** Beyond those that any call can give. */
  readonly problems: readonly ProblemCode[]
}

const Nothing = Type.Null({ title: 'Nothing' })

/** Every call of the game. The live stream and the probes of operators are declared by their own routes. */
export const CALLS = {
  session: {
    method: 'GET',
    url: '/api/session',
    limit: 'calls',
    summary:
      'Who is playing, what is held for them, and the current round; makes a player on the first visit',
    answers: { 200: Session },
    problems: [],
  },
  startRound: {
    method: 'POST',
    url: '/api/rounds',
    limit: 'calls',
    summary: 'Start: stamps the round with the time of the server, and with the name it is played under',
    body: StartBody,
    answers: { 201: Start },
    problems: ['blank_username', 'bad_username', 'stale_round', 'bad_token'],
  },
  recordAttempt: {
    method: 'POST',
    url: '/api/attempts',
    limit: 'calls',
    summary: 'Stop: records the attempt once, however often it is sent',
    body: AttemptBody,
    answers: { 200: Recorded, 201: Recorded },
    problems: [
      'blank_username',
      'bad_username',
      'round_already_played',
      'stale_round',
      'round_expired',
      'bad_token',
    ],
  },
  recentAttempts: {
    method: 'GET',
    url: '/api/attempts',
    limit: 'calls',
    summary: 'The most recent attempts of everybody, newest first',
    answers: { 200: AttemptList },
    problems: [],
  },
  myAttempts: {
    method: 'GET',
    url: '/api/attempts/mine',
    limit: 'calls',
    summary: "The player's own attempts, newest first",
    answers: { 200: MyAttemptList },
    problems: [],
  },
  leaderboard: {
    method: 'GET',
    url: '/api/leaderboard',
    limit: 'calls',
    summary: 'The players with the most TAPS, highest first, ties by who came first',
    answers: { 200: Leaderboard },
    problems: [],
  },
  prizePool: {
    method: 'GET',
    url: '/api/prize-pool',
    limit: 'calls',
    summary: 'What the next win is worth',
    answers: { 200: PrizePool },
    problems: [],
  },
  login: {
    method: 'POST',
    url: '/api/login',
    limit: 'logins',
    summary: "Signs in and brings the guest's held prizes along",
    body: LoginBody,
    answers: { 200: SignedIn },
    problems: ['missing_credentials', 'invalid_password', 'account_banned', 'unknown_username'],
  },
  createAccount: {
    method: 'POST',
    url: '/api/users',
    limit: 'signUps',
    summary: 'Creates an account for the current player; a taken name with its right password signs in',
    body: AccountBody,
    answers: { 200: SignedIn, 201: SignedIn },
    problems: ['username_taken', 'account_banned', 'weak_password', 'bad_username'],
  },
  logout: {
    method: 'POST',
    url: '/api/logout',
    limit: 'calls',
    summary: 'Ends the session; the next one is a new guest',
    answers: { 204: Nothing },
    problems: [],
  },
  claim: {
    method: 'POST',
    url: '/api/claim',
    limit: 'calls',
    summary: 'Moves every prize held for the account into its balance, once',
    answers: { 200: Claimed },
    problems: ['login_required'],
  },
  changePassword: {
    method: 'POST',
    url: '/api/password',
    limit: 'logins',
    summary: 'Changes the password, ends all sessions of the account and opens a new one',
    body: PasswordBody,
    answers: { 204: Nothing },
    problems: ['login_required', 'invalid_password', 'weak_password', 'password_changed'],
  },
  deleteAccount: {
    method: 'POST',
    url: '/api/users/delete',
    limit: 'logins',
    summary: 'Deletes the account for good; its TAPS, claimed ones too, return to the pool',
    body: DeletionBody,
    answers: { 204: Nothing },
    problems: ['login_required', 'invalid_password'],
  },
} as const satisfies Record<string, Call>

type Calls = typeof CALLS
export type CallName = keyof Calls

/** What a call takes; undefined for one without a body. */
export type BodyOfCall<Of extends Call> = Of extends { body: infer Body extends TSchema }
  ? Static<Body>
  : undefined
export type BodyOf<Name extends CallName> = BodyOfCall<Calls[Name]>

/** What a call answers when it is not refused; null for no content. */
export type AnswerOfCall<Of extends Call> =
  Of['answers'] extends Record<number, infer Body extends TSchema> ? Static<Body> : never
export type AnswerOf<Name extends CallName> = AnswerOfCall<Calls[Name]>

export type Method = Calls[CallName]['method']
export type UrlOf<Of extends Method> = Extract<Calls[CallName], { method: Of }>['url']

/** The name of the call behind a method and a URL. */
export type CallAt<Of extends Method, Url> = {
  [Name in CallName]: Calls[Name] extends { method: Of; url: Url } ? Name : never
}[CallName]

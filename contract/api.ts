import { type Static, type TSchema, Type } from 'typebox'
import type { EndpointLimit } from './limits.ts'
import { PROBLEMS, type ProblemCode } from './problems.ts'
import { ACTUAL_MAX_MS, LEADERBOARD_SIZE, MY_ATTEMPTS, NAME_MAX_LENGTH, RECENT_ATTEMPTS } from './rules.ts'

/**
 * The HTTP contract: the source of validation, static types and the OpenAPI document. Times are in seconds
 * with at most 3 decimals; instants are ISO 8601 UTC.
 */

const object = <Properties extends Record<string, TSchema>>(properties: Properties, title: string) =>
  Type.Object(properties, { additionalProperties: false, title })

/** Makes a schema nullable without `anyOf`, which is slow to serialise. */
const nullable = <Schema extends TSchema & { type: string }>(schema: Schema) =>
  Type.Unsafe<Static<Schema> | null>({ ...schema, type: [schema.type, 'null'] })

const Id = Type.Integer({ minimum: 1 })
const Taps = Type.Integer({ minimum: 0 })
const Seconds = Type.Number({ multipleOf: 0.001 })
const Instant = Type.String({ format: 'date-time' })
/** A signed round: 60 to 100 characters. */
const Token = Type.String({ maxLength: 256 })
/** A signed start token, including the name: at most 881 characters. */
const StartToken = Type.String({ maxLength: 1_024 })
/** Input limited only in length; the handlers check names and passwords. */
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

const REASONS = ['clock'] as const
/** The reason why an attempt within the tolerance cannot win. */
export type Reason = (typeof REASONS)[number]

export const Recorded = object(
  {
    attempt: Attempt,
    verified: Type.Boolean(),
    reason: Type.Unsafe<Reason | null>({
      title: 'Reason',
      type: ['string', 'null'],
      enum: [...REASONS, null],
    }),
    prize: nullable(Prize),
    round: Round,
    closer_than: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 100,
        description:
          'Percentage of the latest attempts of all players that were farther from their target; may differ when the attempt is sent again',
      }),
    ),
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

/** RFC 9457 problem details; `title` is the sentence for the player. */
export const ProblemBody = object(
  {
    status: Type.Integer(),
    code: Type.Unsafe<ProblemCode>({ title: 'ProblemCode', type: 'string', enum: Object.keys(PROBLEMS) }),
    title: Type.String(),
    round: Type.Optional(Round),
    id: Type.Optional(Type.String({ description: 'Identifies this failure in the server log' })),
  },
  'Problem',
)

/** A guest's `username` at Start overrides the name at Stop. */
export const StartBody = object({ round: Token, username: Type.Optional(NameInput) }, 'StartBody')
export const AttemptBody = object(
  {
    start: StartToken,
    username: NameInput,
    actual_time: Type.Number({ minimum: 0.001, maximum: ACTUAL_MAX_MS / 1_000, multipleOf: 0.001 }),
  },
  'AttemptBody',
)
/** The fields are optional, because the handler refuses missing credentials itself. */
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

export type ProblemBody = Static<typeof ProblemBody>

/** Groups of endpoints in the OpenAPI document. */
export const TAGS = {
  play: 'Rounds, attempts and prizes of the caller',
  boards: 'The data that every viewer sees',
  accounts: 'Users and their sessions',
} as const
export type Tag = keyof typeof TAGS

export interface Endpoint {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly limit: EndpointLimit
  readonly tag: Tag
  readonly summary: string
  readonly body?: TSchema
  readonly answers: Readonly<Record<number, TSchema>>
  /** The endpoint's own problems; excludes the problems common to all endpoints. */
  readonly problems: readonly ProblemCode[]
}

const Nothing = Type.Null({ title: 'Nothing' })

/** The endpoints, except the live stream, health checks and metrics. */
export const ENDPOINTS = {
  session: {
    method: 'GET',
    url: '/api/session',
    limit: 'calls',
    tag: 'play',
    summary: 'The user, the held prize and the current round; creates a player on the first visit',
    answers: { 200: Session },
    problems: [],
  },
  startRound: {
    method: 'POST',
    url: '/api/rounds',
    limit: 'calls',
    tag: 'play',
    summary: 'Start: signs the round together with the server time and the name for the attempt',
    body: StartBody,
    answers: { 201: Start },
    problems: ['blank_username', 'bad_username', 'stale_round', 'bad_token'],
  },
  recordAttempt: {
    method: 'POST',
    url: '/api/attempts',
    limit: 'calls',
    tag: 'play',
    summary: 'Stop: records the attempt; sending it again returns the recorded attempt',
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
    limit: 'reads',
    tag: 'boards',
    summary: 'The most recent attempts of all players, newest first',
    answers: { 200: AttemptList },
    problems: [],
  },
  myAttempts: {
    method: 'GET',
    url: '/api/attempts/mine',
    limit: 'calls',
    tag: 'play',
    summary: "The player's own attempts, newest first",
    answers: { 200: MyAttemptList },
    problems: [],
  },
  leaderboard: {
    method: 'GET',
    url: '/api/leaderboard',
    limit: 'reads',
    tag: 'boards',
    summary: 'The users with the most TAPS, highest first; ties go to the account created first',
    answers: { 200: Leaderboard },
    problems: [],
  },
  prizePool: {
    method: 'GET',
    url: '/api/prize-pool',
    limit: 'reads',
    tag: 'boards',
    summary: 'The prize of the next win, and the last win',
    answers: { 200: PrizePool },
    problems: [],
  },
  login: {
    method: 'POST',
    url: '/api/login',
    limit: 'logins',
    tag: 'accounts',
    summary: "Signs in and moves the guest's held prizes to the account",
    body: LoginBody,
    answers: { 200: SignedIn },
    problems: ['missing_credentials', 'invalid_password', 'account_banned', 'unknown_username'],
  },
  createAccount: {
    method: 'POST',
    url: '/api/users',
    limit: 'signUps',
    tag: 'accounts',
    summary:
      'Creates an account for the current player; signs in if name and password match an existing account',
    body: AccountBody,
    answers: { 200: SignedIn, 201: SignedIn },
    problems: ['username_taken', 'account_banned', 'weak_password', 'bad_username'],
  },
  logout: {
    method: 'POST',
    url: '/api/logout',
    limit: 'calls',
    tag: 'accounts',
    summary: 'Ends the session; the next request comes from a new guest',
    answers: { 204: Nothing },
    problems: [],
  },
  claim: {
    method: 'POST',
    url: '/api/claim',
    limit: 'calls',
    tag: 'play',
    summary: 'Moves all TAPS held for the account into its balance, exactly once',
    answers: { 200: Claimed },
    problems: ['login_required'],
  },
  changePassword: {
    method: 'POST',
    url: '/api/password',
    limit: 'logins',
    tag: 'accounts',
    summary: 'Changes the password, ends all sessions of the account and opens a new one',
    body: PasswordBody,
    answers: { 204: Nothing },
    problems: ['login_required', 'invalid_password', 'weak_password', 'password_changed'],
  },
  deleteAccount: {
    method: 'POST',
    url: '/api/users/delete',
    limit: 'logins',
    tag: 'accounts',
    summary: 'Deletes the account permanently; all of its TAPS return to the pool, even claimed TAPS',
    body: DeletionBody,
    answers: { 204: Nothing },
    problems: ['login_required', 'invalid_password'],
  },
} as const satisfies Record<string, Endpoint>

type Endpoints = typeof ENDPOINTS
export type EndpointName = keyof Endpoints

/** The request body of an endpoint, or undefined. */
export type BodyOfEndpoint<Of extends Endpoint> = Of extends { body: infer Body extends TSchema }
  ? Static<Body>
  : undefined
export type BodyOf<Name extends EndpointName> = BodyOfEndpoint<Endpoints[Name]>

/** The successful answer of an endpoint; null for no content. */
export type AnswerOfEndpoint<Of extends Endpoint> =
  Of['answers'] extends Record<number, infer Body extends TSchema> ? Static<Body> : never
export type AnswerOf<Name extends EndpointName> = AnswerOfEndpoint<Endpoints[Name]>

export type Method = Endpoints[EndpointName]['method']
export type UrlOf<Of extends Method> = Extract<Endpoints[EndpointName], { method: Of }>['url']

/** The name of the endpoint with this method and URL. */
export type EndpointAt<Of extends Method, Url> = {
  [Name in EndpointName]: Endpoints[Name] extends { method: Of; url: Url } ? Name : never
}[EndpointName]

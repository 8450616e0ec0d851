import { type Static, Type } from 'typebox'
import { ACTUAL_MAX_MS, MY_ATTEMPTS } from '../rules.ts'
import {
  Attempt,
  type Endpoint,
  NameInput,
  nullable,
  object,
  PlayerRecord,
  Prize,
  Round,
  Seconds,
  Taps,
  User,
} from './shapes.ts'

/** A signed round: 60 to 100 characters. */
const Token = Type.String({ maxLength: 256 })
/** A signed start token, including the name: at most 881 characters. */
const StartToken = Type.String({ maxLength: 1_024 })

export const Session = object(
  {
    user: nullable(User),
    rank: nullable(Type.Integer({ minimum: 1 })),
    prize: nullable(Prize),
    round: Round,
    record: PlayerRecord,
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
    record: PlayerRecord,
  },
  'Recorded',
)

export const MyAttemptList = object(
  { attempts: Type.Array(Attempt, { maxItems: MY_ATTEMPTS }), record: PlayerRecord },
  'MyAttemptList',
)

export const Claimed = object({ taps: Taps, user: User }, 'Claimed')

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

export const PLAY = {
  session: {
    method: 'GET',
    url: '/api/session',
    limit: 'calls',
    tag: 'play',
    summary:
      'The user, the held prize, the current round and the record; creates a player on the first visit',
    answers: { 200: Session },
    problems: ['cross_site'],
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
  myAttempts: {
    method: 'GET',
    url: '/api/attempts/mine',
    limit: 'calls',
    tag: 'play',
    summary: "The player's own attempts, newest first, and the record",
    answers: { 200: MyAttemptList },
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
} as const satisfies Record<string, Endpoint>

export type Session = Static<typeof Session>
export type Start = Static<typeof Start>
export type MyAttemptList = Static<typeof MyAttemptList>
export type Recorded = Static<typeof Recorded>
export type Claimed = Static<typeof Claimed>
export type StartBody = Static<typeof StartBody>
export type AttemptBody = Static<typeof AttemptBody>

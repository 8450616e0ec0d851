import { type Static, type TSchema, Type } from 'typebox'
import type { EndpointLimit } from '../limits.ts'
import { PROBLEMS, type ProblemCode } from '../problems.ts'
import { NAME_MAX_LENGTH } from '../rules.ts'

export const object = <Properties extends Record<string, TSchema>>(properties: Properties, title: string) =>
  Type.Object(properties, { additionalProperties: false, title })

/** Makes a schema nullable without `anyOf`, which is slow to serialise. */
export const nullable = <Schema extends TSchema & { type: string }>(schema: Schema) =>
  Type.Unsafe<Static<Schema> | null>({ ...schema, type: [schema.type, 'null'] })

export const Id = Type.Integer({ minimum: 1 })
export const Taps = Type.Integer({ minimum: 0 })
export const Seconds = Type.Number({ multipleOf: 0.001 })
export const Instant = Type.String({ format: 'date-time' })
/** Input limited only in length; the handlers check names and passwords. */
export const NameInput = Type.String({ maxLength: NAME_MAX_LENGTH })
export const PasswordInput = Type.String({ maxLength: 1_024 })

export const Nothing = Type.Null({ title: 'Nothing' })

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

/** All rounds of a player, as a guest and as a user, on every device. */
export const PlayerRecord = object(
  {
    rounds: Type.Integer({ minimum: 0, description: 'Number of the last recorded round, verified or not' }),
    best: nullable(Seconds),
    streak: Type.Integer({
      minimum: 0,
      description: 'Wins in a row up to now; an unverified attempt neither ends nor extends them',
    }),
  },
  'PlayerRecord',
)

export const Round = object({ token: Type.String(), target_time: Seconds }, 'Round')

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

export type User = Static<typeof User>
export type Attempt = Static<typeof Attempt>
export type Prize = Static<typeof Prize>
export type PlayerRecord = Static<typeof PlayerRecord>
export type Round = Static<typeof Round>
export type ProblemBody = Static<typeof ProblemBody>

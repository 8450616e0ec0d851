import type { Static, TSchema } from 'typebox'
import { ACCOUNTS } from './api/accounts.ts'
import { BOARDS } from './api/boards.ts'
import { PLAY } from './api/play.ts'
import type { Endpoint } from './api/shapes.ts'

export type { SignedIn } from './api/accounts.ts'
export type { AttemptList, LastWin, Leaderboard, PrizePool, Today } from './api/boards.ts'
export type {
  AttemptBody,
  Claimed,
  MyAttemptList,
  Reason,
  Recorded,
  Session,
  Start,
  StartBody,
} from './api/play.ts'
export {
  type Attempt,
  type Endpoint,
  type PlayerRecord,
  type Prize,
  ProblemBody,
  type Round,
  TAGS,
  type User,
} from './api/shapes.ts'

/**
 * The HTTP contract: the source of validation, static types and the OpenAPI document. Times are in seconds
 * with at most 3 decimals; instants are ISO 8601 UTC.
 */

/** The endpoints, except the live stream, health checks and metrics. */
export const ENDPOINTS = { ...PLAY, ...BOARDS, ...ACCOUNTS } as const

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

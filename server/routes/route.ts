import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AnswerOfEndpoint, BodyOfEndpoint, Endpoint } from '../../contract/api.ts'
import type { Database } from '../database/connection.ts'
import type { Cookies } from '../http/cookies.ts'
import { addressKey } from '../limits/address.ts'
import type { ConcurrencyLimit } from '../limits/concurrency.ts'
import type { Limiter } from '../limits/limiter.ts'
import type { Broadcast } from '../live/broadcast.ts'
import type { DatabasePoller } from '../live/poller.ts'
import { type Authenticator, type Caller, newGuest, type PlayerState } from '../people/caller.ts'
import type { NameMask } from '../people/names.ts'
import type { PasswordHasher } from '../people/passwords.ts'
import type { Comparison } from '../play/comparison.ts'
import type { Play } from '../play/play.ts'
import { Problem } from '../problem.ts'

/** What the handlers use. */
export interface Services extends Play {
  readonly authenticator: Authenticator
  readonly broadcast: Broadcast
  readonly comparison: Comparison
  readonly cookies: Cookies
  readonly database: Database
  readonly limits: Limiter
  readonly mask: NameMask
  readonly passwords: PasswordHasher
  readonly poller: DatabasePoller
  readonly streamLimit: ConcurrencyLimit
}

export interface RequestContext<C extends Endpoint = Endpoint> {
  readonly body: BodyOfEndpoint<C>
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** The address's key in the limits. */
  readonly address: string
  /** Null without valid cookies, and for a public read, which answers everybody alike. */
  readonly caller: Caller | null
}

/** Serves an endpoint with the contract's schemas and limit. */
export function serve<C extends Endpoint>(
  app: FastifyInstance,
  services: Services,
  endpoint: C,
  handler: (context: RequestContext<C>) => Promise<AnswerOfEndpoint<C>>,
): void {
  app.route({
    method: endpoint.method,
    url: endpoint.url,
    schema: {
      summary: endpoint.summary,
      response: endpoint.answers,
      ...(endpoint.body && { body: endpoint.body }),
    },
    config: { endpoint },
    handler: async (request, reply) => {
      if (!endpoint.body && hasContent(request.body)) throw new Problem('invalid_request')
      const address = addressKey(request.ip)
      const caller = await identify(services, endpoint, request, address)
      return handler({ body: request.body as BodyOfEndpoint<C>, request, reply, address, caller })
    },
  })
}

function hasContent(body: unknown): boolean {
  return body !== undefined && body !== null && (typeof body !== 'object' || Object.keys(body).length > 0)
}

/** Finds the caller, and charges the call as the endpoint's limit says. */
async function identify(
  { authenticator, cookies, limits }: Services,
  { limit }: Endpoint,
  request: FastifyRequest,
  address: string,
): Promise<Caller | null> {
  // Requests are charged before they reach the framework, and a public read has no further limit.
  if (limit === 'reads') return null
  if (limit !== 'calls') limits.take(limit, address)
  const caller = await authenticator.resolveCaller(cookies.read(request))
  if (limit === 'calls' && caller) limits.take(limit, caller.playerId)
  return caller
}

type Context = Pick<RequestContext, 'caller' | 'reply' | 'address'>

/** Returns the caller of a request, or a new guest. */
export function callerOf(services: Services, context: Context): Caller {
  if (context.caller) return context.caller
  const state = makeGuest(services, context)
  const { playerId } = state
  return { playerId, credentials: { sessionToken: null, guestId: playerId }, state }
}

/** Reads the caller's state. A guest whose player has, or had, an account becomes a new guest. */
export async function readState(
  services: Services,
  { credentials }: Caller,
  context: Context,
): Promise<PlayerState> {
  return (await services.authenticator.authenticate(credentials)) ?? makeGuest(services, context)
}

/** @throws {Problem} too_many_requests */
function makeGuest({ cookies, limits }: Services, { address, reply }: Context): PlayerState {
  limits.take('guests', address)
  const state = newGuest()
  cookies.setGuest(reply, state.playerId)
  return state
}

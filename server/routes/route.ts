import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AnswerOfEndpoint, BodyOfEndpoint, Endpoint } from '../../contract/api.ts'
import type { EndpointLimit } from '../../contract/limits.ts'
import type { Cookies } from '../http/cookies.ts'
import { limitKeyOf } from '../http/cross-site.ts'
import type { Limiter } from '../limits/limiter.ts'
import { type Authenticator, type Caller, newGuest, type PlayerState } from '../people/caller.ts'
import { Problem } from '../problem.ts'

export interface RouteDeps {
  readonly authenticator: Authenticator
  readonly cookies: Cookies
  readonly limits: Limiter
}

export interface RequestContext<C extends Endpoint = Endpoint> {
  readonly body: BodyOfEndpoint<C>
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** The address's key in the limits. */
  readonly limitKey: string
  readonly caller: Caller | null
}

/** Serves an endpoint with the contract's schemas and limit. */
export function serve<C extends Endpoint>(
  app: FastifyInstance,
  deps: RouteDeps,
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
      const { caller, limitKey } = await identify(deps, request, endpoint.limit)
      return handler({ body: request.body as BodyOfEndpoint<C>, request, reply, limitKey, caller })
    },
  })
}

/** Finds the caller, and charges the call to the player or to the address, as its limit says. */
export async function identify(
  { authenticator, cookies, limits }: RouteDeps,
  request: FastifyRequest,
  limit: EndpointLimit,
): Promise<Pick<RequestContext, 'caller' | 'limitKey'>> {
  const limitKey = limitKeyOf(request, request.ip)
  // A public read answers everybody alike, so its cookies only choose whose limit it counts against.
  const caller = await authenticator.resolveCaller(cookies.read(request))
  limits.charge(limit, limitKey, caller?.playerId)
  return { caller, limitKey }
}

function hasContent(body: unknown): boolean {
  return body !== undefined && body !== null && (typeof body !== 'object' || Object.keys(body).length > 0)
}

type Context = Pick<RequestContext, 'caller' | 'reply' | 'limitKey'>

/** Returns the caller of a request, or a new guest. */
export function callerOf(deps: RouteDeps, context: Context): Caller {
  if (context.caller) return context.caller
  const state = makeGuest(deps, context)
  const { playerId } = state
  return { playerId, credentials: { sessionToken: null, guestId: playerId }, state }
}

/** Reads the caller's state. A guest whose player has, or had, an account becomes a new guest. */
export async function readState(
  deps: RouteDeps,
  { credentials }: Caller,
  context: Context,
): Promise<PlayerState> {
  return (await deps.authenticator.authenticate(credentials)) ?? makeGuest(deps, context)
}

/** @throws {Problem} too_many_requests */
function makeGuest({ cookies, limits }: RouteDeps, { reply, limitKey }: Context): PlayerState {
  limits.take(['guests', limitKey])
  const state = newGuest()
  cookies.setGuest(reply, state.playerId)
  return state
}

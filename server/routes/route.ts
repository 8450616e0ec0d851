import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AnswerOfEndpoint, BodyOfEndpoint, Endpoint } from '../../contract/api.ts'
import type { EndpointLimit } from '../../contract/limits.ts'
import type { Authenticator } from '../callers/authenticator.ts'
import type { Caller } from '../callers/caller.ts'
import type { Cookies } from '../http/cookies.ts'
import { addressKey } from '../limits/address.ts'
import type { Limiter } from '../limits/limiter.ts'
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
  /** The key of the request's address in the limits. */
  readonly limitKey: string
  readonly caller: Caller | null
  /** Monotonic, ms. */
  readonly receivedAt: number
}

/** Serves a call of the contract by its schemas and its limit. */
export function serve<C extends Endpoint>(
  app: FastifyInstance,
  deps: RouteDeps,
  call: C,
  handler: (context: RequestContext<C>) => Promise<AnswerOfEndpoint<C>>,
): void {
  app.route({
    method: call.method,
    url: call.url,
    schema: { summary: call.summary, response: call.answers, ...(call.body && { body: call.body }) },
    config: { call },
    handler: async (request, reply) => {
      const receivedAt = performance.now()
      if (!call.body && hasContent(request.body)) throw new Problem('invalid_request')
      const { caller, limitKey } = await identify(deps, request, call.limit)
      return handler({
        body: request.body as BodyOfEndpoint<C>,
        request,
        reply,
        limitKey,
        caller,
        receivedAt,
      })
    },
  })
}

/** Finds the caller and charges them. */
export async function identify(
  { authenticator, cookies, limits }: RouteDeps,
  request: FastifyRequest,
  limit: EndpointLimit,
): Promise<Pick<RequestContext, 'caller' | 'limitKey'>> {
  const limitKey = addressKey(request.ip)
  const caller = await authenticator.resolveCaller(cookies.read(request))
  limits.charge(limit, limitKey, caller?.playerId)
  return { caller, limitKey }
}

function hasContent(body: unknown): boolean {
  return body !== undefined && body !== null && (typeof body !== 'object' || Object.keys(body).length > 0)
}

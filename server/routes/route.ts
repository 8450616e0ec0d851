import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AnswerOfCall, BodyOfCall, Call } from '../../contract/api.ts'
import type { Visitor } from './callers.ts'
import { addressKey } from '../limits/address.ts'
import { Problem } from '../problem.ts'
import type { Services } from '../services.ts'

/** One request on its way through the handler of its call. */
export interface RequestContext<C extends Call = Call> {
  readonly body: BodyOfCall<C>
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** The key of the request's address in the limits. */
  readonly address: string
  /** Null for a request without a cookie of ours. */
  readonly caller: Visitor | null
  /** When the request arrived: monotonic, ms. */
  readonly at: number
}

/** Serves a call of the contract: its schemas check the request and shape the answer, its limit is charged. */
export function serve<C extends Call>(
  app: FastifyInstance,
  { limits, visitors }: Pick<Services, 'limits' | 'visitors'>,
  call: C,
  handler: (context: RequestContext<C>) => Promise<AnswerOfCall<C>>,
): void {
  app.route({
    method: call.method,
    url: call.url,
    schema: { summary: call.summary, response: call.answers, ...(call.body && { body: call.body }) },
    config: { call },
    handler: async (request, reply) => {
      const at = performance.now()
      if (!call.body && hasContent(request.body)) throw new Problem('invalid_request')
      const address = addressKey(request.ip)
      const caller = await visitors.find(request)
      limits.charge(call.limit, address, caller?.player)
      return handler({ body: request.body as BodyOfCall<C>, request, reply, address, caller, at })
    },
  })
}

function hasContent(body: unknown): boolean {
  return body !== undefined && body !== null && (typeof body !== 'object' || Object.keys(body).length > 0)
}

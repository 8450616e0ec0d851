import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AnswerOfCall, BodyOfCall, Call } from '../../contract/api.ts'
import { addressKey } from '../limits/address.ts'
import { Problem } from '../problem.ts'

/** One request on its way through the handler of its call. */
export interface Exchange<C extends Call = Call> {
  readonly body: BodyOfCall<C>
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** The key of the request's address in the limits. */
  readonly address: string
  /** When the request arrived: monotonic, ms. */
  readonly at: number
}

/** Serves a call of the contract: its schemas check the request and shape the answer. */
export function serve<C extends Call>(
  app: FastifyInstance,
  call: C,
  handler: (exchange: Exchange<C>) => Promise<AnswerOfCall<C>>,
): void {
  app.route({
    method: call.method,
    url: call.url,
    schema: { summary: call.summary, response: call.answers, ...(call.body && { body: call.body }) },
    config: { call },
    handler: (request, reply) => {
      const at = performance.now()
      if (!call.body && hasContent(request.body)) throw new Problem('invalid_request')
      return handler({
        body: request.body as BodyOfCall<C>,
        request,
        reply,
        address: addressKey(request.ip),
        at,
      })
    },
  })
}

function hasContent(body: unknown): boolean {
  return body !== undefined && body !== null && (typeof body !== 'object' || Object.keys(body).length > 0)
}

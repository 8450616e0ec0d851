import type { FastifyInstance } from 'fastify'
import { Refusal } from './problem.ts'
import type { Services } from './services.ts'

/** For operators: liveness, readiness, figures. */
export function addOperations(app: FastifyInstance, { database, metrics }: Services): void {
  app.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'ok' }))

  app.get('/readyz', { schema: { hide: true } }, async () => {
    try {
      await database.query('select from prize_pool')
    } catch (error) {
      throw new Refusal('unavailable', {
        title: 'The database cannot be reached',
        retryAfter: 1,
        cause: error,
      })
    }
    return { status: 'ok' }
  })

  app.get('/metrics', { schema: { hide: true } }, async (_, reply) => {
    reply.type(metrics.registry.contentType)
    return metrics.registry.metrics()
  })
}

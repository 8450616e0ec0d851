import type { FastifyInstance } from 'fastify'
import type { Services } from './services.ts'

/** For operators: liveness, readiness, figures. */
export function addOperations(app: FastifyInstance, { metrics, readiness }: Services): void {
  app.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'ok' }))

  app.get('/readyz', { schema: { hide: true } }, async () => {
    await readiness.check()
    return { status: 'ok' }
  })

  app.get('/metrics', { schema: { hide: true } }, async (_, reply) => {
    reply.type(metrics.registry.contentType)
    return metrics.registry.metrics()
  })
}

import type { FastifyInstance } from 'fastify'
import { addOpenApi } from './http/openapi.ts'
import { addOperations } from './http/operations.ts'
import { addPage } from './http/static.ts'
import { addressKey } from './limits/address.ts'
import { Problem } from './problem.ts'
import { addRoutes } from './routes.ts'
import type { Services } from './services.ts'

/** Adds everything that can be asked for. */
export async function addGame(app: FastifyInstance, services: Services): Promise<void> {
  app.addHook('onRequest', (request, _, done) => {
    services.limits.take('requests', addressKey(request.ip))
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    services.metrics.requests.observe({ route, status: reply.statusCode }, reply.elapsedTime / 1_000)
    services.securityLog.note(request, reply.statusCode)
    done()
  })
  app.setNotFoundHandler(request => {
    services.limits.take('misses', addressKey(request.ip))
    throw new Problem('not_found')
  })
  await addOpenApi(app, services.limits)
  addRoutes(app, services)
  addOperations(app, services)
  await addPage(app, services.env.publicUrl)
}

import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { addressKey } from '../limits/address.ts'
import type { Limiter } from '../limits/limiter.ts'

/** The contract as an OpenAPI document, and a page to browse it. Register before the routes. */
export async function addDocs(app: FastifyInstance, limits: Limiter): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'TAPS',
        version: '1.0.0',
        description: 'A one-screen timing game. Times are seconds, amounts are whole TAPS.',
      },
    },
  })
  await app.register(async papers => {
    papers.addHook('onRequest', async request => {
      limits.take('papers', addressKey(request.ip))
    })
    // The other layout has a logo with inline style, and a field that asks any address for a document.
    await papers.register(swaggerUi, { routePrefix: '/api/docs', uiConfig: { layout: 'BaseLayout' } })
    papers.get('/api/openapi.json', { schema: { hide: true } }, () => app.swagger())
  })
}

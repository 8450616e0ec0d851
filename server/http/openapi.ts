import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, FastifySchema } from 'fastify'
import { type Call, ProblemBody } from '../../contract/api.ts'
import { PROBLEMS, type ProblemCode } from '../../contract/problems.ts'
import { VERSION } from '../lib/version.ts'
import { addressKey } from '../limits/address.ts'
import type { Limiter } from '../limits/limiter.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    readonly call?: Call
  }
}

const COMMON_PROBLEMS: readonly ProblemCode[] = [
  'invalid_request',
  'cross_site',
  'too_slow',
  'too_many_requests',
  'headers_too_large',
  'internal',
  'unavailable',
]

const UNSAFE_PROBLEMS: readonly ProblemCode[] = ['too_large', 'unsupported_media_type']

/** Serves the contract as an OpenAPI document, and a page to browse it. Register before the routes. */
export async function addOpenApi(app: FastifyInstance, limits: Limiter): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'TAPS',
        version: VERSION,
        description: 'A one-screen timing game. Times are seconds, amounts are whole TAPS.',
      },
    },
    transform: ({ schema, url, route: { config } }) => ({
      schema: config?.call ? withProblems(schema, config.call) : schema,
      url,
    }),
  })
  await app.register(async documents => {
    documents.addHook('onRequest', async request => {
      limits.charge('calls', addressKey(request.ip))
    })
    // The default layout has a logo with inline style, and a field that loads documents from anywhere.
    await documents.register(swaggerUi, { routePrefix: '/api/docs', uiConfig: { layout: 'BaseLayout' } })
    documents.get('/api/openapi.json', { schema: { hide: true } }, () => app.swagger())
  })
}

/** Adds the problems of a call to the document only: in a route Fastify would compile each schema. */
function withProblems(schema: FastifySchema, call: Call): FastifySchema {
  const unsafe = call.method === 'GET' ? [] : UNSAFE_PROBLEMS
  const codes = [...call.problems, ...COMMON_PROBLEMS, ...unsafe]
  const content = { 'application/problem+json': { schema: ProblemBody } }
  const answers = codes.map(code => {
    const { status } = PROBLEMS[code]
    const description = codes.filter(other => PROBLEMS[other].status === status).join(', ')
    return [status, { description, content }]
  })
  return { ...schema, response: { ...call.answers, ...Object.fromEntries(answers) } }
}

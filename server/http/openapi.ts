import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, FastifySchema } from 'fastify'
import { ENDPOINTS, type Endpoint, ProblemBody, TAGS } from '../../contract/api.ts'
import { PROBLEMS, type ProblemCode } from '../../contract/problems.ts'
import { VERSION } from '../lib/project.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    readonly endpoint?: Endpoint
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

const DOCUMENT = {
  servers: [{ url: '/', description: 'This node' }],
  tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
  // A request without a cookie comes from a new guest.
  security: [{}, { guest: [] }, { session: [] }],
  components: {
    securitySchemes: {
      guest: cookie('taps-player', 'The player of this browser, set by the first GET /api/session'),
      session: cookie('taps-session', 'The session of a user, set by a login'),
    },
  },
}

function cookie(name: string, description: string) {
  return {
    type: 'apiKey' as const,
    in: 'cookie',
    name,
    description: `${description}. Over https: __Host-${name}`,
  }
}

/**
 * Serves the contract as an OpenAPI document, with a page to browse the document. Call before adding the
 * routes.
 */
export async function addOpenApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'TAPS',
        version: VERSION,
        description: 'A one-screen timing game. Times are seconds, amounts are whole TAPS.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      ...DOCUMENT,
    },
    transform: ({ schema, url, route: { config } }) => ({ schema: describe(schema, config?.endpoint), url }),
  })
  // Avoids the default layout, because its logo has inline style, and its text field loads documents from
  // any site.
  await app.register(swaggerUi, { routePrefix: '/api/docs', uiConfig: { layout: 'BaseLayout' } })
  app.get('/api/openapi.json', { schema: { hide: true } }, () => app.swagger())
}

/**
 * Names an operation after its key in the contract, and adds its problems: only to the document, because in a
 * route Fastify would compile each schema.
 */
function describe(schema: FastifySchema, endpoint: Endpoint | undefined): FastifySchema {
  const [name] = Object.entries<Endpoint>(ENDPOINTS).find(([, other]) => other === endpoint) ?? []
  const unsafe = !endpoint || endpoint.method === 'GET' ? [] : UNSAFE_PROBLEMS
  const codes = [...(endpoint?.problems ?? []), ...COMMON_PROBLEMS, ...unsafe]
  const content = { 'application/problem+json': { schema: ProblemBody } }
  const refusals = codes.map(code => {
    const { status } = PROBLEMS[code]
    const description = codes.filter(other => PROBLEMS[other].status === status).join(', ')
    return [status, { description, content }]
  })
  return {
    ...schema,
    ...(endpoint && name && { operationId: name, tags: [endpoint.tag] }),
    response: { ...Object(schema.response), ...Object.fromEntries(refusals) },
  }
}

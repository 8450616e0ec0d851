import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, FastifySchema } from 'fastify'
import { CALLS, type Call, ProblemBody } from '../../contract/api.ts'
import { PROBLEMS, type ProblemCode } from '../../contract/problems.ts'
import { VERSION } from '../lib/version.ts'
import { addressKey } from '../limits/address.ts'
import type { Limiter } from '../limits/limiter.ts'
import { nameSchemas } from './openapi-schemas.ts'

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

const PLAY = ['/api/session', '/api/rounds', '/api/attempts', '/api/attempts/mine', '/api/claim']
const BOARDS = ['/api/leaderboard', '/api/prize-pool', '/api/live']

const DOCUMENT = {
  servers: [{ url: '/', description: 'This node' }],
  tags: [
    { name: 'play', description: 'Rounds, attempts and prizes of the caller' },
    { name: 'boards', description: 'What every viewer sees' },
    { name: 'accounts', description: 'Users and their sessions' },
  ],
  // A request without a cookie is a new guest.
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

function describeOperation(url: string, call: Call | undefined): FastifySchema {
  const name = Object.entries<Call>(CALLS).find(([, other]) => other === call)?.[0] ?? 'live'
  const tag = PLAY.includes(url) ? 'play' : BOARDS.includes(url) ? 'boards' : 'accounts'
  return { operationId: name, tags: [tag] }
}

/** Serves the contract as an OpenAPI document, and a page to browse it. Register before the routes. */
export async function addOpenApi(app: FastifyInstance, limits: Limiter): Promise<void> {
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
    transform: ({ schema, url, route: { config } }) => ({
      schema: { ...describeOperation(url, config?.call), ...withProblems(schema, config?.call) },
      url,
    }),
    transformObject: document => ('openapiObject' in document ? nameSchemas(document.openapiObject) : {}),
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
function withProblems(schema: FastifySchema, call: Call | undefined): FastifySchema {
  const unsafe = !call || call.method === 'GET' ? [] : UNSAFE_PROBLEMS
  const codes = [...(call?.problems ?? []), ...COMMON_PROBLEMS, ...unsafe]
  const content = { 'application/problem+json': { schema: ProblemBody } }
  const answers = codes.map(code => {
    const { status } = PROBLEMS[code]
    const description = codes.filter(other => PROBLEMS[other].status === status).join(', ')
    return [status, { description, content }]
  })
  const own = typeof schema.response === 'object' ? schema.response : {}
  return { ...schema, response: { ...own, ...Object.fromEntries(answers) } }
}

import swagger from '@fastify/swagger'
import type { FastifyInstance, FastifySchema } from 'fastify'
import { ENDPOINTS, type Endpoint, ProblemBody, TAGS } from '../../contract/api.ts'
import {
  CONNECTIONS,
  type EndpointLimit,
  LIMITS,
  type Rate,
  STREAMS_OF_ADDRESS,
} from '../../contract/limits.ts'
import { PROBLEMS, type ProblemCode } from '../../contract/problems.ts'
import { VERSION } from '../lib/project.ts'
import { nameSchemas } from './openapi-components.ts'

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

const RETRIED: ReadonlySet<number> = new Set([PROBLEMS.too_many_requests.status, PROBLEMS.unavailable.status])
const RETRY_AFTER = { 'Retry-After': { type: 'integer', description: 'Seconds to wait' } }

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

const { requests, guests, ownPasswordsOfAddress, wrongPasswords, wrongPasswordsOfName } = LIMITS

const DESCRIPTION = [
  'A one-screen timing game. Times are seconds, amounts are whole TAPS.',
  `Limits of an address (IPv4, or IPv6 /64): ${formatRate('requests', requests)};`,
  `${formatRate('new guests', guests)};`,
  `${formatRate('password changes and deletions', ownPasswordsOfAddress)}; ${CONNECTIONS.ofAddress} connections; ${STREAMS_OF_ADDRESS} live streams.`,
  'Public reads by pages of other sites have the same limits, counted separately.',
  `Limits of a name: ${formatRate('wrong passwords', wrongPasswords)}, from one address;`,
  `${formatRate('wrong passwords', wrongPasswordsOfName)}, from all addresses.`,
  'Operations name their further limits. Beyond a limit, the answer is 429 with `Retry-After`.',
  'Each node counts separately.',
].join(' ')

/** What each limit counts, and for whom. */
const COUNTED: Readonly<Record<EndpointLimit, readonly [subject: string, what: string] | null>> = {
  calls: ['player', 'calls'],
  logins: ['address', 'logins'],
  ownPasswords: ['user', 'password changes and deletions'],
  reads: null,
  signUps: ['address', 'sign-ups'],
}

/** Says which limit an endpoint has besides those of all requests. */
function describeLimit(limit: EndpointLimit): string {
  const counted = COUNTED[limit]
  if (counted === null) return 'No further limit.'
  const [subject, what] = counted
  return `Limit of each ${subject}: ${formatRate(what, LIMITS[limit])}.`
}

function formatRate(what: string, { burst, perMinute }: Rate): string {
  return `${burst} ${what} at once, then ${perMinute} a minute`
}

function cookie(name: string, description: string) {
  return {
    type: 'apiKey' as const,
    in: 'cookie',
    name,
    description: `${description}. Over https: __Host-${name}`,
  }
}

/** Serves the contract as an OpenAPI document. Call before adding the routes. */
export async function addOpenApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'TAPS',
        version: VERSION,
        description: DESCRIPTION,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      ...DOCUMENT,
    },
    transform: ({ schema, url, route: { config } }) => ({ schema: describe(schema, config?.endpoint), url }),
    transformObject: document => ('openapiObject' in document ? nameSchemas(document.openapiObject) : {}),
  })
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
    return [status, { description, content, ...(RETRIED.has(status) && { headers: RETRY_AFTER }) }]
  })
  return {
    ...schema,
    ...(endpoint && name && { operationId: name, tags: [endpoint.tag] }),
    ...(endpoint && { description: describeLimit(endpoint.limit) }),
    response: { ...Object(schema.response), ...Object.fromEntries(refusals) },
  }
}

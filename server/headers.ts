import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from './problem.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Everything comes from this origin; nothing inline, nothing framed. */
const POLICY = [
  "default-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "img-src 'self' data:",
  "object-src 'none'",
].join('; ')

const HEADERS = {
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** Two years: what the preload lists ask for. Only ever sent over TLS. */
const TRANSPORT_SECURITY = 'max-age=63072000'

/** The headers of every answer to a request. */
export function safeHeaders(request: FastifyRequest): Readonly<Record<string, string>> {
  if (request.protocol !== 'https') return HEADERS
  return { ...HEADERS, 'strict-transport-security': TRANSPORT_SECURITY }
}

/** Adds the headers of every answer; answers of the API are not to be kept. */
export async function addHeaders(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.headers(safeHeaders(request))
  if (request.url.startsWith('/api/') && !reply.hasHeader('cache-control')) {
    reply.header('cache-control', 'no-store')
  }
}

/**
 * Refuses unsafe methods that another site sent: Sec-Fetch-Site decides where there is one, Origin
 * elsewhere. A client that sends neither is no browser, and has no cookies to be abused.
 */
export function refuseCrossSite(publicHost: string | null) {
  return async (request: FastifyRequest): Promise<void> => {
    if (SAFE_METHODS.has(request.method)) return
    const site = request.headers['sec-fetch-site']
    if (site === 'same-origin' || site === 'none') return
    if (site !== undefined) throw new Refusal('cross_site')
    const { origin } = request.headers
    if (origin === undefined) return
    const host = URL.canParse(origin) ? new URL(origin).host : null
    if (host !== null && (host === request.host || host === publicHost)) return
    throw new Refusal('cross_site')
  }
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SecureCheck } from './cookies.ts'

/** Everything from this origin; nothing inline, nothing framed, no eval. */
const POLICY = [
  "default-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "img-src 'self' data:",
  "object-src 'none'",
].join('; ')

/** Features the page never uses, denied to injected code as well. */
const UNUSED = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'serial',
  'usb',
]

/** The headers of every answer. */
export const SAFE_HEADERS = {
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': UNUSED.map(feature => `${feature}=()`).join(', '),
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // The default; the page's files override it. Never by path: `/%61pi/session` once passed a test of the path.
  'cache-control': 'no-store',
}

/** Two years: what the preload lists ask for. Only ever sent over TLS. */
const OVER_TLS = { ...SAFE_HEADERS, 'strict-transport-security': 'max-age=63072000' }

/** Adds the headers of every answer, before a route adds its own. */
export function headerAdder(isSecure: SecureCheck) {
  return (request: FastifyRequest, reply: FastifyReply): void => {
    reply.headers(isSecure(request) ? OVER_TLS : SAFE_HEADERS)
  }
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SecureCheck } from './secure.ts'

/** Everything comes from this origin; nothing inline, nothing framed, no text that becomes code. */
const POLICY = [
  "default-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "img-src 'self' data:",
  "object-src 'none'",
].join('; ')

/** What the page never uses, so that nothing that gets into it can. */
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
  // Unless the answer says otherwise, as the page's files do: by the path alone `/%61pi/session` was kept.
  'cache-control': 'no-store',
}

/** Two years: what the preload lists ask for. Only ever sent over TLS. */
const OVER_TLS = { ...SAFE_HEADERS, 'strict-transport-security': 'max-age=63072000' }

/** Adds the headers of every answer before anything else adds its own. */
export function headerAdder(isSecure: SecureCheck) {
  return (request: FastifyRequest, reply: FastifyReply): void => {
    reply.headers(isSecure(request) ? OVER_TLS : SAFE_HEADERS)
  }
}

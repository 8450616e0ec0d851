import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SecureCheck } from './cookies.ts'

/** Allows only this origin: no inline code, frames or eval. */
const POLICY = [
  "default-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "img-src 'self' data:",
  "object-src 'none'",
].join('; ')

export const SAFE_HEADERS = {
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // The default for every answer; a rule by path would miss `/%61pi/session`.
  'cache-control': 'no-store',
}

const OVER_TLS = { ...SAFE_HEADERS, 'strict-transport-security': 'max-age=63072000' }

export function headerAdder(isSecure: SecureCheck) {
  return (request: FastifyRequest, reply: FastifyReply): void => {
    reply.headers(isSecure(request) ? OVER_TLS : SAFE_HEADERS)
  }
}

import type { FastifyRequest } from 'fastify'
import type { Env } from '../env.ts'
import { membership } from '../limits/networks.ts'

/** True for a request that came over TLS. */
export type SecureCheck = (request: FastifyRequest) => boolean

/**
 * True over TLS, which ends at a proxy in front: one of `TRUST_PROXY` says so, or `PUBLIC_URL` does for its host.
 * Fastify's own `request.protocol` knows no proxies where an address could not be read.
 */
export function secureCheck({ publicUrl, trustProxy }: Pick<Env, 'publicUrl' | 'trustProxy'>): SecureCheck {
  const isProxy = membership(trustProxy || [])
  const url = publicUrl === null ? null : new URL(publicUrl)
  const host = url?.protocol === 'https:' ? url.host : null
  return ({ raw, host: asked }) => {
    if (host !== null && asked === host) return true
    const protocol = `${raw.headers['x-forwarded-proto'] ?? ''}`
    return /\bhttps$/i.test(protocol) && isProxy(raw.socket.remoteAddress ?? '')
  }
}

import type { FastifyRequest } from 'fastify'
import type { Env } from '../env.ts'
import { addressKey, UNKNOWN } from '../limits/address.ts'
import { addressMatcher } from '../limits/networks.ts'
import type { Logger } from '../log.ts'

/** True for a request that came over TLS. */
export type SecureCheck = (request: FastifyRequest) => boolean

/**
 * True over TLS, which ends at a proxy in front: one of `TRUST_PROXY` says so, or `PUBLIC_URL` does for its host.
 * Fastify's own `request.protocol` knows no proxies where an address could not be read.
 */
export function secureCheck({ publicUrl, trustProxy }: Pick<Env, 'publicUrl' | 'trustProxy'>): SecureCheck {
  const isProxy = addressMatcher(trustProxy || [])
  const url = publicUrl === null ? null : new URL(publicUrl)
  const host = url?.protocol === 'https:' ? url.host : null
  return ({ raw, host: asked }) => {
    if (host !== null && asked === host) return true
    const protocol = `${raw.headers['x-forwarded-proto'] ?? ''}`
    return /\bhttps$/i.test(protocol) && isProxy(raw.socket.remoteAddress ?? '')
  }
}

/**
 * Looks for requests that a proxy with TLS has passed on to a server that knows of none, and warns of the first: cookies
 * are not kept to TLS there, and all visitors share the limits of one address. Anybody can send such a header, so nothing
 * else follows from it.
 */
export function unknownProxyWarning({ publicUrl, trustProxy }: Pick<Env, 'publicUrl' | 'trustProxy'>) {
  let isDone = publicUrl !== null || trustProxy !== false
  return ({
    headers,
    log,
  }: Pick<FastifyRequest, 'headers'> & { readonly log: Pick<Logger, 'warn'> }): void => {
    if (isDone) return
    const { forwarded, 'x-forwarded-proto': protocol } = headers
    if (!/\bhttps\b/i.test(`${protocol ?? ''}`) && !/\bproto="?https\b/i.test(forwarded ?? '')) return
    isDone = true
    log.warn(
      'A request says that it came over https through a proxy. If that is yours, set PUBLIC_URL to the address that players open, such as https://taps.example.org, and TRUST_PROXY to the address of the proxy, such as loopback',
    )
  }
}

/** Warns once when a proxy passes on something that is no address: all whom it hides share the limits of one. */
export function unknownAddressWarning() {
  let isDone = false
  return ({ ip, log }: Pick<FastifyRequest, 'ip'> & { readonly log: Pick<Logger, 'warn'> }): void => {
    if (isDone || addressKey(ip) !== UNKNOWN) return
    isDone = true
    log.warn(
      'A proxy names a visitor by something that is no address; all such visitors share the limits of one address',
    )
  }
}

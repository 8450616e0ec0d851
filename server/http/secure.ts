import type { FastifyRequest } from 'fastify'
import type { Env } from '../env.ts'
import { addressKey, UNKNOWN } from '../limits/address.ts'
import { addressMatcher } from '../limits/networks.ts'
import type { Logger } from '../log.ts'
import type { SecureCheck } from './cookies.ts'

/**
 * Returns a check that a request came over TLS. A proxy of `TRUST_PROXY` says so, or the host is that of an
 * https `PUBLIC_URL`.
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
 * Returns a hook that warns once when a TLS proxy passes on requests but no setting names it. Clients can
 * forge such a header, so it only warns.
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

/** Returns a hook that warns once when a proxy passes on something that is not an address. */
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

import type { FastifyRequest } from 'fastify'
import type { Env } from '../env.ts'
import { addressKey, UNKNOWN } from '../limits/address.ts'
import { addressMatcher } from '../limits/networks.ts'
import type { Logger } from '../log.ts'
import type { SecureCheck } from './cookies.ts'

const FORWARDING = ['forwarded', 'x-forwarded-for', 'x-forwarded-proto']

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
 * Returns a hook that warns once when a proxy passes on requests but `TRUST_PROXY` names none. Clients can
 * forge such a header, so it only warns.
 */
export function unknownProxyWarning({ trustProxy }: Pick<Env, 'trustProxy'>) {
  let isDone = trustProxy !== false
  return ({
    headers,
    log,
  }: Pick<FastifyRequest, 'headers'> & { readonly log: Pick<Logger, 'warn'> }): void => {
    if (isDone || !FORWARDING.some(name => headers[name] !== undefined)) return
    isDone = true
    log.warn(
      'requests arrive through a proxy that is not trusted, so all visitors share the limits of one address; if the proxy is yours, set TRUST_PROXY to its address, such as loopback, and PUBLIC_URL to the address that players open',
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

import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { addressKey, addressMatcher, UNKNOWN } from '../limits/address.ts'
import type { Logger } from '../log.ts'
import type { Env } from '../settings.mjs'
import type { SecureCheck } from './cookies.ts'

/** Headers that proxies add. */
const FORWARDING = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
]

/** Returns whether a request seems to come through a proxy. Clients can forge the headers. */
export function isForwarded(headers: IncomingHttpHeaders): boolean {
  return FORWARDING.some(name => headers[name] !== undefined)
}

/**
 * Creates a check that a request came over TLS. Trusts a proxy in `TRUST_PROXY`, and the host of an https
 * `PUBLIC_URL`.
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
 * Creates a hook that warns once when requests come through a proxy but `TRUST_PROXY` is not set. Refuses
 * nothing, because clients can forge the headers.
 */
export function unknownProxyWarning({ trustProxy }: Pick<Env, 'trustProxy'>) {
  let isDone = trustProxy !== false
  return ({
    headers,
    log,
  }: Pick<FastifyRequest, 'headers'> & { readonly log: Pick<Logger, 'warn'> }): void => {
    if (isDone || !isForwarded(headers)) return
    isDone = true
    log.warn(
      'unknown proxy: all visitors share the limits of one address; if the proxy is yours, set TRUST_PROXY and PUBLIC_URL',
    )
  }
}

/** Creates a hook that warns once when a proxy passes on an invalid client address. */
export function unknownAddressWarning() {
  let isDone = false
  return ({ ip, log }: Pick<FastifyRequest, 'ip'> & { readonly log: Pick<Logger, 'warn'> }): void => {
    if (isDone || addressKey(ip) !== UNKNOWN) return
    isDone = true
    log.warn(
      'invalid client address from a proxy; visitors without a valid address share the limits of one address',
    )
  }
}

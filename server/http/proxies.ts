import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { addressMatcher } from '../limits/address.ts'
import type { Logger } from '../log.ts'
import type { Env } from '../settings.mjs'
import type { SecureCheck } from './cookies.ts'

const isLoopback = addressMatcher(['loopback'])

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

/** Returns whether a request came from this machine, neither through a proxy nor by DNS rebinding. */
export function isLocal({ headers, hostname, socket }: FastifyRequest): boolean {
  const { localAddress, remoteAddress = '' } = socket
  if (!isLoopback(remoteAddress) && remoteAddress !== localAddress) return false
  if (isForwarded(headers)) return false
  return hostname === 'localhost' || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
}

/** Creates a check that a request came over TLS. Trusts the proxies in `TRUST_PROXY`, and an https `PUBLIC_URL`. */
export function secureCheck({ publicUrl }: Pick<Env, 'publicUrl'>): SecureCheck {
  const url = publicUrl === null ? null : new URL(publicUrl)
  const host = url?.protocol === 'https:' ? url.host : null
  return request => request.protocol === 'https' || (host !== null && request.host === host)
}

type Forwarded = Pick<FastifyRequest, 'headers' | 'socket'> & { readonly log: Pick<Logger, 'warn'> }

/**
 * Creates a hook that warns once when requests come through a proxy that `TRUST_PROXY` does not name. Refuses
 * nothing, because clients can forge the headers.
 */
export function unknownProxyWarning({ trustProxy }: Pick<Env, 'trustProxy'>) {
  const isProxy = addressMatcher(trustProxy || [])
  let isDone = false
  return ({ headers, log, socket }: Forwarded): void => {
    if (isDone || !isForwarded(headers) || isProxy(socket.remoteAddress ?? '')) return
    isDone = true
    log.warn(
      'unknown proxy: all visitors share the limits of one address; if the proxy is yours, set TRUST_PROXY and PUBLIC_URL',
    )
  }
}

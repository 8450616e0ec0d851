import type { FastifyRequest } from 'fastify'
import { Problem } from '../problem.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses unsafe methods that another site sent: Sec-Fetch-Site decides where there is one, Origin
 * elsewhere. A client that sends neither is no browser, and has no cookies to be abused.
 */
export function refuseCrossSite(publicUrl: string | null) {
  const publicHost = publicUrl && new URL(publicUrl).host
  return (request: FastifyRequest): void => {
    if (SAFE_METHODS.has(request.method)) return
    const site = request.headers['sec-fetch-site']
    if (site === 'same-origin' || site === 'none') return
    if (site !== undefined) throw new Problem('cross_site')
    const { origin } = request.headers
    if (origin === undefined) return
    const host = URL.canParse(origin) ? new URL(origin).host : null
    if (host !== null && (host === request.host || host === publicHost)) return
    throw new Problem('cross_site')
  }
}

/**
 * True for what another site may have made a browser ask for. It keeps our cookies back then, and an answer that set
 * others, in a window of its own, would cost a guest the round and the held prize. Where the browser does not say who
 * asks, on plain http, it says at least that it opens a window: the page itself never does.
 */
export function hidesCookies({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  return site === undefined ? headers['upgrade-insecure-requests'] !== undefined : site === 'cross-site'
}

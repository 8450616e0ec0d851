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
 * True where another site may have made the browser send this request. The browser then keeps our cookies back, and an
 * answer that set new ones, in a window that the other site opened, would cost a guest the round and the held prize.
 * Over plain http a browser does not name the site, but says that it opens a window: the page itself never does.
 */
export function hidesCookies({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  return site === undefined ? headers['upgrade-insecure-requests'] !== undefined : site === 'cross-site'
}

import type { FastifyRequest } from 'fastify'
import { Problem } from '../problem.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses requests with an unsafe method from another site. Sec-Fetch-Site decides; without it, Origin. A client that
 * sends neither is not a browser, so has no cookies to abuse.
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
    // As text, which browsers write in one way: to parse 14 KB of it as a URL took 10 ms.
    const [, host] = /^https?:\/\/(.+)$/.exec(origin) ?? []
    if (host !== undefined && (host === request.host || host === publicHost)) return
    throw new Problem('cross_site')
  }
}

/**
 * Refuses calls of any method that another site made the browser send: they would use up the limits of the visitor's
 * address. Other sites may link to the page, but have no reason to make calls.
 */
export function refuseCrossSiteCall({ headers }: FastifyRequest): void {
  if (headers['sec-fetch-site'] === 'cross-site') throw new Problem('cross_site')
}

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
 * Refuses a call that a browser says another site has made it send, of whatever method: a page elsewhere could use up what
 * its visitor's address may do. A page is opened from wherever a link to it is; a call is not.
 */
export function refuseCrossSiteCall({ headers }: FastifyRequest): void {
  if (headers['sec-fetch-site'] === 'cross-site') throw new Problem('cross_site')
}

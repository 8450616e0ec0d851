import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { ENDPOINTS } from '../../contract/api.ts'
import { PROBLEMS } from '../../contract/problems.ts'
import { Problem } from '../problem.ts'

/** The reads that a page of any site may use. They need no cookie and set none. */
const PUBLIC_READS: readonly string[] = [
  '/api/live',
  ...Object.values(ENDPOINTS).flatMap(({ limit, url }) => (limit === 'reads' ? [url] : [])),
]

/** Headers of every answer to a public read, also of refusals. */
export const PUBLIC_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'retry-after',
  'cross-origin-resource-policy': 'cross-origin',
}

/** One refusal is logged in this time, because the page itself tells its visitor what a proxy does wrong. */
const LOG_INTERVAL_MS = 60_000
/** The characters of an origin or host that the log and the answer show. */
const SHOWN_LENGTH = 100

const READS: readonly string[] = ['GET', 'HEAD']
const SAFE_METHODS: readonly string[] = [...READS, 'OPTIONS']

export function isPublicRead(method = '', path = ''): boolean {
  return READS.includes(method) && PUBLIC_READS.includes(path)
}

/**
 * Returns whether a page of another site sent a public read. A browser sends Origin with a read only when the page
 * belongs to another origin.
 */
export function isForeignRead({ headers }: { readonly headers: IncomingHttpHeaders }): boolean {
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode, origin } = headers
  if (site === undefined) return origin !== undefined
  return (site === 'cross-site' || site === 'same-site') && mode !== 'navigate'
}

/**
 * Returns whether a browser opens the address as a page, such as by a link. Over plain http, a browser sends no fetch
 * metadata, but its Accept names XHTML, which no program asks for.
 */
export function isNavigation({ headers }: { readonly headers: IncomingHttpHeaders }): boolean {
  const { 'sec-fetch-mode': mode, accept = '' } = headers
  return mode === undefined ? accept.includes('application/xhtml+xml') : mode === 'navigate'
}

/**
 * Creates a check that refuses unsafe requests of another site, according to Sec-Fetch-Site or else Origin. A
 * client that sends neither header is not a browser, and has no cookies to abuse.
 */
export function unsafeRequestCheck(publicUrl: string | null) {
  const publicHost = publicUrl && hostOf(publicUrl)
  let loggedAt = Number.NEGATIVE_INFINITY

  return (request: FastifyRequest): void => {
    if (SAFE_METHODS.includes(request.method)) return
    const { 'sec-fetch-site': site, origin } = request.headers
    if (site === 'same-origin' || site === 'none') return
    if (site !== undefined) throw refusal(request)
    if (origin === undefined || isOwn(origin, request.host)) return
    const problem = refusal(request, '; if both are this game, its operator has to set PUBLIC_URL')
    if (performance.now() - loggedAt >= LOG_INTERVAL_MS) {
      loggedAt = performance.now()
      request.log.warn({ address: request.ip }, problem.message)
    }
    throw problem
  }

  function isOwn(origin: string, host: string): boolean {
    const asked = hostOf(origin)
    const [scheme] = origin.split('/')
    return asked !== '' && (asked === publicHost || asked === hostOf(`${scheme}//${host}`))
  }
}

/**
 * Refuses a call from another site, because it would use up the limits of the visitor's address.
 *
 * @throws {Problem} cross_site
 */
export function refuseForeignCall(request: FastifyRequest): void {
  if (request.headers['sec-fetch-site'] === 'cross-site') throw refusal(request)
}

function refusal({ headers: { origin }, host }: FastifyRequest, hint = ''): Problem {
  if (origin === undefined) return new Problem('cross_site')
  return new Problem('cross_site', {
    title: `${PROBLEMS.cross_site.title}: ${origin.slice(0, SHOWN_LENGTH)} is not ${host.slice(0, SHOWN_LENGTH)}${hint}`,
  })
}

/**
 * Returns an origin's host in lower case, with its port unless that is the scheme's default, and without a
 * trailing dot; empty if invalid.
 */
function hostOf(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).host.replace(/\.(?=:|$)/, '') : ''
}

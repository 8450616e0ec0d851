import type { IncomingHttpHeaders } from 'node:http'
import { addressKey } from '../limits/address.ts'

/** The reads that a page of any site may use. They need no cookie and set none. */
const PUBLIC_READS: readonly string[] = ['/api/prize-pool', '/api/leaderboard', '/api/attempts', '/api/live']

/** Headers of every answer to a public read, also of refusals. */
export const PUBLIC_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'retry-after',
  'cross-origin-resource-policy': 'cross-origin',
}

const SAFE_METHODS: readonly string[] = ['GET', 'HEAD']

interface Request {
  readonly method?: string | undefined
  readonly headers: IncomingHttpHeaders
}

export function isPublicRead(method = '', path = ''): boolean {
  return SAFE_METHODS.includes(method) && PUBLIC_READS.includes(path)
}

/**
 * Returns the key of a client in the limits. Reads by a page of another site have a key of their own, so that
 * such a page cannot use up the limits of a visitor's address.
 */
export function limitKeyOf(request: Request, address: string): string {
  return isForeignRead(request) ? `foreign ${addressKey(address)}` : addressKey(address)
}

/** A browser sends Origin with a read only when the page belongs to another origin. */
function isForeignRead({ method = '', headers }: Request): boolean {
  if (!SAFE_METHODS.includes(method)) return false
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode, origin } = headers
  if (site === undefined) return origin !== undefined
  return (site === 'cross-site' || site === 'same-site') && mode !== 'navigate'
}

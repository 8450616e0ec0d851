import type { FastifyRequest } from 'fastify'
import { PROBLEMS } from '../../contract/problems.ts'
import { Problem } from '../problem.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])
const LOG_INTERVAL_MS = 60_000
/** The longest origin that is parsed; a host name has at most 253 characters. */
const MAX_ORIGIN_LENGTH = 300
/** The characters of an origin or host that the log and the answer show. */
const SHOWN_LENGTH = 100

/** Refuses requests from another site. Logs at most one refusal a minute, because a flood would fill the log. */
export class CrossSiteRefusal {
  readonly #publicHost: string | null
  #silentUntil = 0

  constructor(publicUrl: string | null) {
    this.#publicHost = publicUrl && hostOf(publicUrl)
  }

  /**
   * Refuses unsafe requests, according to Sec-Fetch-Site or else Origin. A client that sends neither header is
   * not a browser, and has no cookies to abuse.
   */
  readonly refuseUnsafe = (request: FastifyRequest): void => {
    if (SAFE_METHODS.has(request.method)) return
    const { 'sec-fetch-site': site, origin } = request.headers
    if (site === 'same-origin' || site === 'none') return
    if (site !== undefined) throw this.#refusal(request)
    if (origin === undefined || this.#isOwn(origin, request.host)) return
    throw this.#refusal(request, 'PUBLIC_URL')
  }

  /** Refuses a call from another site, because it would use up the limits of the visitor's address. */
  readonly refuseCall = (request: FastifyRequest): void => {
    if (request.headers['sec-fetch-site'] === 'cross-site') throw this.#refusal(request)
  }

  #isOwn(origin: string, host: string): boolean {
    const asked = hostOf(origin)
    if (asked === null) return false
    const [scheme] = origin.split('/')
    return asked === this.#publicHost || asked === hostOf(`${scheme}//${host}`)
  }

  /** @param setting - The setting that accepts the request, if its site is the game's own. */
  #refusal({ headers, host: asked, ip, log, routeOptions }: FastifyRequest, setting?: string): Problem {
    const origin = headers.origin?.slice(0, SHOWN_LENGTH)
    const host = asked.slice(0, SHOWN_LENGTH)
    const now = performance.now()
    if (now >= this.#silentUntil) {
      this.#silentUntil = now + LOG_INTERVAL_MS
      const hint = setting && `if this origin is yours, set ${setting} to it`
      log.warn({ path: routeOptions.url, address: ip, origin, host, hint }, 'sent by another site')
    }
    if (origin === undefined) return new Problem('cross_site')
    const hint = setting ? `; if both are this game, its operator has to set ${setting}` : ''
    return new Problem('cross_site', {
      title: `${PROBLEMS.cross_site.title}: ${origin} is not ${host}${hint}`,
    })
  }
}

/**
 * Returns the host of an http origin in lower case, with its port unless that is the scheme's default, and
 * without a trailing dot. Returns null for anything else.
 */
function hostOf(origin: string): string | null {
  if (origin.length > MAX_ORIGIN_LENGTH || !/^https?:\/\/[^/?#@\\]+$/i.test(origin)) return null
  if (!URL.canParse(origin)) return null
  const { hostname, port } = new URL(origin)
  return `${hostname.replace(/\.$/, '')}:${port}`
}

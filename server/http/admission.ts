import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { CALLS, type ProblemBody } from '../../contract/api.ts'
import { PROBLEMS } from '../../contract/problems.ts'
import type { Env } from '../env.ts'
import { BoundedMap } from '../lib/bounded-map.ts'
import { addressKey } from '../limits/address.ts'
import type { Limiter } from '../limits/limiter.ts'
import { addressMatcher, clientAddress } from '../limits/networks.ts'
import { Problem } from '../problem.ts'
import type { Connections } from './connections.ts'
import { SAFE_HEADERS } from './headers.ts'
import type { Metrics } from './metrics.ts'
import type { SecurityLog } from './security-log.ts'

/** A player was served lately: people who play do so more often. */
const LATELY_MS = 60_000
/** Players who are known: more than a node serves in that time. At most 20 MB, full of the longest cookies. */
const MAX_PLAYERS = 20_000
/** Ours are 250 characters; whoever brings more of other pages of this host is only not known. */
const MAX_COOKIE_CHARS = 1_000

/** Calls that only a player is served. */
const OF_PLAYERS: ReadonlySet<unknown> = new Set([CALLS.startRound, CALLS.recordAttempt, CALLS.claim])
const OF_CONTRACT: ReadonlySet<string> = new Set(
  Object.values(CALLS).map(({ method, url }) => `${method} ${url}`),
)

const BODY = refusal()
/** As Node takes them fastest. */
const HEADERS = Object.entries({
  ...SAFE_HEADERS,
  'content-type': 'application/problem+json; charset=utf-8',
  'content-length': `${BODY.length}`,
}).flat()

interface Options {
  readonly env: Pick<Env, 'rateLimits' | 'trustProxy'>
  readonly connections: Pick<Connections, 'refuse'>
  readonly limits: Pick<Limiter, 'take'>
  readonly metrics: Pick<Metrics, 'refused' | 'limited'>
  readonly securityLog: Pick<SecurityLog, 'refused'>
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/**
 * Counts what each address asks for before anything else is done about it. Beyond its allowance an address is answered one
 * 429 on each of its connections, which ends, and gets no new one for a while. Calls of players who were served lately do
 * not count, and their connections stay: their own limits are narrower, and a neighbour's flood is none of theirs. A
 * connection of a proxy is not its visitors', and stays as well: there it gets the same 429, made before, ahead of the framework.
 */
export function admit(
  app: FastifyInstance,
  { env, connections, limits, metrics, securityLog }: Options,
): void {
  if (!env.rateLimits) return
  const { server } = app
  const isProxy = addressMatcher(env.trustProxy || [])
  const addressOf = clientAddress(env.trustProxy || [])
  const players = new BoundedMap<number>(MAX_PLAYERS)
  const connectionsOfPlayers = new WeakMap<Socket, number>()

  /** Seconds to wait, or null. */
  function count(address: string): number | null {
    try {
      limits.take('requests', addressKey(address))
      return null
    } catch (error) {
      if (error instanceof Problem) return error.details.retryAfter ?? 1
      throw error
    }
  }

  function isOfPlayer({ method, url, headers }: IncomingMessage): boolean {
    return OF_CONTRACT.has(`${method} ${url}`) && isLate(players.get(headers.cookie ?? ''))
  }

  function refuse(address: string, request: IncomingMessage, response: ServerResponse, waitS: number): void {
    metrics.refused.inc()
    metrics.limited.inc({ limit: 'requests' })
    securityLog.refused(address)
    const { socket } = request
    const { remoteAddress = '' } = socket
    const stays = isProxy(remoteAddress) || isLate(connectionsOfPlayers.get(socket))
    if (!stays) connections.refuse(remoteAddress)
    const more = ['retry-after', `${waitS}`, ...(stays ? [] : ['connection', 'close'])]
    response.writeHead(PROBLEMS.too_many_requests.status, [...HEADERS, ...more])
    response.end(BODY)
  }

  const admitTo =
    (handle: Handler): Handler =>
    (request, response) => {
      if (isOfPlayer(request)) return handle(request, response)
      const address = addressOf(request)
      const waitS = count(address)
      if (waitS === null) handle(request, response)
      else refuse(address, request, response, waitS)
    }

  server.removeListener('request', app.routing)
  server.on('request', admitTo(app.routing))
  // What is no request counts as one.
  server.prependListener('clientError', (_, socket) => {
    const { remoteAddress = '' } = socket as Socket
    if (!isProxy(remoteAddress) && count(remoteAddress) !== null) connections.refuse(remoteAddress)
  })
  // Whoever is refused a call has to be served one again to be known.
  app.addHook('onResponse', ({ raw, routeOptions }, { statusCode }, done) => {
    const { cookie = '' } = raw.headers
    const isServed = statusCode < 300 && OF_PLAYERS.has(routeOptions.config.call)
    if (isServed) connectionsOfPlayers.set(raw.socket, performance.now())
    if (isServed && cookie.length <= MAX_COOKIE_CHARS) players.set(cookie, performance.now())
    if (statusCode >= 400 && statusCode < 500 && statusCode !== 409) players.forget(cookie)
    done()
  })
}

function isLate(servedAt: number | undefined): boolean {
  return servedAt !== undefined && performance.now() - servedAt < LATELY_MS
}

function refusal(): Buffer {
  const code = 'too_many_requests'
  const body: ProblemBody = { ...PROBLEMS[code], code }
  return Buffer.from(JSON.stringify(body))
}

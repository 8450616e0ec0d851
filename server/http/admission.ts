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
import type { SecurityLog } from './security-log.ts'

/** How long a served player counts as playing: people who play send calls more often. */
const LATELY_MS = 60_000
/** More players than a node serves in that time; at most 20 MB, even when full of the longest cookies. */
const MAX_PLAYERS = 20_000
/** Ours are under 150 characters; a player whose browser adds longer ones is merely not recognised. */
const MAX_COOKIE_CHARS = 1_000

/** Retry-After for a visitor with too many connections through a proxy, s: of many, one ends about that often. */
const NO_ROOM_WAIT_S = 1

/** Calls that succeed only for a player. */
const OF_PLAYERS: ReadonlySet<unknown> = new Set([CALLS.startRound, CALLS.recordAttempt, CALLS.claim])
const OF_CONTRACT: ReadonlySet<string> = new Set(
  Object.values(CALLS).map(({ method, url }) => `${method} ${url}`),
)

const BODY = refusal()
/** As a flat array, which Node writes fastest. */
const HEADERS = Object.entries({
  ...SAFE_HEADERS,
  'content-type': 'application/problem+json; charset=utf-8',
  'content-length': `${BODY.length}`,
}).flat()

interface Options {
  readonly env: Pick<Env, 'rateLimits' | 'trustProxy'>
  readonly connections: Connections
  readonly limits: Pick<Limiter, 'take'>
  readonly securityLog: Pick<SecurityLog, 'refused'>
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/**
 * Counts the requests of each address before anything else. An address beyond its limit gets one 429 on each of its
 * connections, which ends, and no new connection for a while. Calls of players served lately are exempt, and the connection
 * of one survives a 429: their own limits are narrower, and a neighbour's flood is not their fault. A proxy's connection
 * carries many visitors and stays, too. The 429 is prepared in advance and sent ahead of the framework.
 */
export function admit(app: FastifyInstance, { env, connections, limits, securityLog }: Options): void {
  if (!env.rateLimits) return
  const { server } = app
  const isProxy = addressMatcher(env.trustProxy || [])
  const addressOf = clientAddress(env.trustProxy || [])
  const players = new BoundedMap<number>(MAX_PLAYERS)
  const connectionsOfPlayers = new WeakMap<Socket, number>()
  /** What was not counted when it came. */
  const exempt = new WeakSet<IncomingMessage>()

  /** Counts a request; seconds to wait when it is one too many, else null. */
  function count(address: string): number | null {
    try {
      limits.take('requests', addressKey(address))
      return null
    } catch (error) {
      if (error instanceof Problem) return error.details.retryAfter ?? 1
      throw error
    }
  }

  function isFromPlayer({ method, url, headers }: IncomingMessage): boolean {
    return OF_CONTRACT.has(`${method} ${url}`) && isRecent(players.get(headers.cookie ?? ''))
  }

  function refuse(address: string, request: IncomingMessage, response: ServerResponse, waitS: number): void {
    securityLog.refused(address)
    const { socket } = request
    const { remoteAddress = '' } = socket
    // One on which a player was served stays once after that: it would escape the limit for good.
    const stays = isProxy(remoteAddress) || isRecent(connectionsOfPlayers.get(socket))
    connectionsOfPlayers.delete(socket)
    if (!stays) connections.refuse(remoteAddress)
    const more = ['retry-after', `${waitS}`, ...(stays ? [] : ['connection', 'close'])]
    response.writeHead(PROBLEMS.too_many_requests.status, [...HEADERS, ...more])
    response.end(BODY)
  }

  const admitTo =
    (handle: Handler): Handler =>
    (request, response) => {
      const address = addressOf(request)
      if (!connections.charge(request.socket, address)) {
        // It counts for nobody, and could be kept without end.
        response.shouldKeepAlive = false
        return refuse(address, request, response, count(address) ?? NO_ROOM_WAIT_S)
      }
      const isExempt = isFromPlayer(request)
      if (isExempt) exempt.add(request)
      const waitS = isExempt ? null : count(address)
      if (waitS === null) handle(request, response)
      else refuse(address, request, response, waitS)
    }

  server.removeListener('request', app.routing)
  server.on('request', admitTo(app.routing))
  // What cannot be parsed counts as a request.
  server.prependListener('clientError', (_, socket) => {
    const { remoteAddress = '' } = socket as Socket
    if (isProxy(remoteAddress) || count(remoteAddress) === null) return
    securityLog.refused(remoteAddress)
    connections.refuse(remoteAddress)
  })
  app.addHook('onResponse', ({ raw, routeOptions }, { statusCode }, done) => {
    const { cookie = '' } = raw.headers
    const isServed = statusCode < 300 && OF_PLAYERS.has(routeOptions.config.call)
    if (isServed) connectionsOfPlayers.set(raw.socket, performance.now())
    if (isServed && cookie.length <= MAX_COOKIE_CHARS) players.set(cookie, performance.now())
    done()
  })
  // After a refusal a player has to be served again to be exempt, also one who does not wait for it; and what was sent at the
  // same time counts as if it had not been.
  app.addHook('onSend', ({ raw }, { statusCode }, _payload, done) => {
    const { cookie = '' } = raw.headers
    if (statusCode >= 400 && statusCode < 500 && statusCode !== 409) {
      players.forget(cookie)
      if (exempt.has(raw)) count(addressOf(raw))
    }
    done()
  })
}

function isRecent(servedAt: number | undefined): boolean {
  return servedAt !== undefined && performance.now() - servedAt < LATELY_MS
}

function refusal(): Buffer {
  const code = 'too_many_requests'
  const body: ProblemBody = { ...PROBLEMS[code], code }
  return Buffer.from(JSON.stringify(body))
}

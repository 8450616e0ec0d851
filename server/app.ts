import type { FastifyInstance } from 'fastify'
import { CONNECTIONS, HASH_QUEUE, STREAMS_OF_ADDRESS } from '../contract/limits.ts'
import { type Connection, openDatabase } from './database/connection.ts'
import { readPasswordKey } from './database/fingerprint.ts'
import { limitClients } from './http/client-limits.ts'
import { Cookies } from './http/cookies.ts'
import { isPublicRead, PUBLIC_HEADERS, refuseForeignCall } from './http/cross-site.ts'
import { Metrics } from './http/metrics.ts'
import { addMonitoring } from './http/monitoring.ts'
import { addOpenApi } from './http/openapi.ts'
import { secureCheck } from './http/proxies.ts'
import { addPage } from './http/static.ts'
import { deriveKeys } from './lib/derived-keys.ts'
import { ConcurrencyLimit } from './limits/concurrency.ts'
import { Limiter, NO_LIMITS } from './limits/limiter.ts'
import { Broadcast } from './live/broadcast.ts'
import { DatabasePoller } from './live/poller.ts'
import { Readiness } from './live/readiness.ts'
import { openNames } from './people/names.ts'
import { PasswordHasher } from './people/passwords.ts'
import { createAuthentication } from './people/player.ts'
import { startHoldExpiry } from './play/prizes.ts'
import { Recorder } from './play/recorder.ts'
import { createStartTimeRead, Rounds } from './play/rounds.ts'
import { addAccounts } from './routes/accounts.ts'
import { addBoards } from './routes/boards.ts'
import { addPlay } from './routes/play.ts'
import type { Env } from './settings.mjs'

export type App = Awaited<ReturnType<typeof openApp>>

/** Options of tests alone. */
export interface Options {
  /** The cost of a password's hash. */
  readonly hashCost?: number
  /** The silence after which the database counts as unavailable. */
  readonly outageMs?: number
}

/** The parts that have been opened, to be closed in the opposite order. */
type Opened = { close(): unknown }[]

/** Opens one node with its routes, or closes the opened parts after a failure. `begin` starts the background work. */
export async function openApp(
  env: Env,
  secret: string,
  connection: Connection,
  server: FastifyInstance,
  options: Options = {},
) {
  const opened: Opened = []
  const close = async () => {
    for (const part of opened.reverse()) await part.close()
  }
  try {
    const parts = await openParts(env, secret, connection, server, opened, options)
    await addRoutes(server, parts)
    return { ...parts, close: () => server.close().finally(close) }
  } catch (error) {
    await close()
    throw error
  }
}

type Parts = Awaited<ReturnType<typeof openParts>>

async function openParts(
  env: Env,
  secret: string,
  connection: Connection,
  { log, outage }: FastifyInstance,
  opened: Opened,
  { hashCost, outageMs }: Options,
) {
  const keys = deriveKeys(secret)
  const limitOf = (most: number) => (env.rateLimits ? most : Number.POSITIVE_INFINITY)
  const database = openDatabase(connection, log)
  opened.push({ close: () => database.end() })
  const names = await openNames(env.dataDir, log)
  opened.push(names)
  const readiness = new Readiness(database, outageMs)
  const poller = new DatabasePoller(connection, readiness, log)
  opened.push(poller)
  const broadcast = new Broadcast(database, poller, log, names.mask)
  const recorder = new Recorder(database, env)
  const metrics = new Metrics(database, readiness, broadcast)
  poller.on('recovered', () => outage.end())
  recorder.on('recorded', (attempts, wins) => {
    poller.requestPoll()
    readiness.recorded()
    metrics.attempts.inc(attempts)
    metrics.wins.inc(wins)
  })
  recorder.on('failed', () => readiness.failed())
  return {
    authenticate: createAuthentication(database),
    broadcast,
    connectionLimit: new ConcurrencyLimit(limitOf(CONNECTIONS.ofAddress)),
    cookies: new Cookies(keys.cookies, secureCheck(env)),
    database,
    env,
    limits: new Limiter(env.rateLimits ? undefined : NO_LIMITS),
    metrics,
    names,
    passwords: new PasswordHasher(() => readPasswordKey(database), limitOf(HASH_QUEUE.ofAddress), hashCost),
    poller,
    readiness,
    readStartTime: createStartTimeRead(database),
    recorder,
    rounds: new Rounds(keys),
    streamLimit: new ConcurrencyLimit(limitOf(STREAMS_OF_ADDRESS)),
    async begin(): Promise<void> {
      // Polls first, because a node that is ready answers.
      await poller.open()
      await broadcast.open()
      opened.push(startHoldExpiry(database, env.prizeHoldMinutes, log, () => poller.requestPoll()))
    },
  }
}

async function addRoutes(server: FastifyInstance, parts: Parts): Promise<void> {
  const { broadcast, env, metrics, passwords, readiness } = parts
  limitClients(server, parts)
  server.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    metrics.requests.observe({ route, status: reply.statusCode }, reply.elapsedTime / 1_000)
    done()
  })
  // Ends streams and waiting hashes, which would block the shutdown.
  server.addHook('preClose', async () => {
    broadcast.close()
    passwords.close()
  })
  await addOpenApi(server)
  await server.register(async calls => {
    calls.addHook('onRequest', (request, reply, done) => {
      if (isPublicRead(request.method, request.routeOptions.url)) reply.headers(PUBLIC_HEADERS)
      else refuseForeignCall(request)
      readiness.assertReady()
      done()
    })
    addPlay(calls, parts)
    addAccounts(calls, parts)
    addBoards(calls, parts)
  })
  addMonitoring(server, { env, metrics, readiness })
  await addPage(server, env)
}

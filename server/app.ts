import type { FastifyInstance } from 'fastify'
import { CONNECTIONS, STREAMS } from '../contract/limits.ts'
import { type Connection, openDatabase } from './database/connection.ts'
import { gameId, readPasswordKey } from './database/fingerprint.ts'
import { Cookies } from './http/cookies.ts'
import { isPublicRead, PUBLIC_HEADERS, refuseForeignCall } from './http/cross-site.ts'
import { guard } from './http/edge.ts'
import { Metrics } from './http/metrics.ts'
import { addOpenApi } from './http/openapi.ts'
import { addOperations } from './http/operations.ts'
import { secureCheck } from './http/secure.ts'
import { addPage } from './http/static.ts'
import { deriveKeys } from './lib/keys.ts'
import { ConcurrencyLimit, NO_CONCURRENCY_LIMITS } from './limits/concurrency.ts'
import { Limiter, NO_LIMITS } from './limits/limiter.ts'
import { Broadcast } from './live/broadcast.ts'
import { DatabasePoller } from './live/poller.ts'
import { Readiness } from './live/readiness.ts'
import { createAuthenticator } from './people/caller.ts'
import { PasswordHasher } from './people/passwords.ts'
import { RefusedNames } from './people/refused-names.ts'
import { createEndSession } from './people/sessions.ts'
import { Comparison } from './play/comparison.ts'
import { createClaim, startHoldExpiry } from './play/prizes.ts'
import { Recorder } from './play/recorder.ts'
import { createStartTimeRead, Rounds } from './play/rounds.ts'
import { Problem } from './problem.ts'
import { addAccounts } from './routes/accounts.ts'
import { addBoards, addLive } from './routes/boards.ts'
import { addPlay } from './routes/play.ts'
import type { Env } from './settings.mjs'

export type App = Awaited<ReturnType<typeof openApp>>

/**
 * Opens one node with its routes. `begin` starts the background work.
 *
 * @param hashCost - Lower than the default only in tests.
 */
export async function openApp(
  env: Env,
  secret: string,
  connection: Connection,
  server: FastifyInstance,
  hashCost?: number,
) {
  const parts = await openParts(env, secret, connection, server, hashCost)
  await addRoutes(server, parts)
  return { ...parts, close: () => server.close().finally(parts.close) }
}

type Parts = Awaited<ReturnType<typeof openParts>>

async function openParts(
  env: Env,
  secret: string,
  connection: Connection,
  { log, outageLog }: FastifyInstance,
  hashCost?: number,
) {
  const keys = deriveKeys(secret)
  const database = openDatabase(connection, log)
  const refusedNames = await RefusedNames.open(env.dataDir, log)
  const { mask, isRefused: isRefusedName } = refusedNames
  const poller = new DatabasePoller(connection, log)
  const broadcast = new Broadcast(database, poller, log, mask)
  const readiness = new Readiness(database, poller)
  const recorder = new Recorder(database, env)
  const comparison = new Comparison(database, log)
  const metrics = new Metrics({ broadcast, database, game: gameId(secret), poller })
  poller.on('recovered', outageLog.end)
  poller.on('polled', ({ attempts }) => void comparison.refresh(attempts))
  refusedNames.on('changed', () => broadcast.renew())
  recorder.on('recorded', (attempts, wins) => {
    poller.requestPoll()
    readiness.recorded()
    metrics.attempts.inc(attempts)
    metrics.wins.inc(wins)
  })
  recorder.on('failed', () => readiness.failed())
  let stopHoldExpiry = () => Promise.resolve()
  return {
    accounts: {
      database,
      endSession: createEndSession(database),
      isRefusedName,
      passwordHasher: new PasswordHasher(
        () => readPasswordKey(database),
        env.rateLimits ? undefined : Number.POSITIVE_INFINITY,
        hashCost,
      ),
    },
    authenticator: createAuthenticator(database),
    broadcast,
    claim: createClaim(database),
    comparison,
    connectionLimit: new ConcurrencyLimit(env.rateLimits ? CONNECTIONS : NO_CONCURRENCY_LIMITS),
    cookies: new Cookies(keys.cookies, secureCheck(env)),
    database,
    env,
    limits: new Limiter(env.rateLimits ? undefined : NO_LIMITS),
    metrics,
    play: {
      isRefusedName,
      readStartTime: createStartTimeRead(database),
      recorder,
      rounds: new Rounds(keys),
    },
    poller,
    readiness,
    refusedNames,
    streamLimit: new ConcurrencyLimit(env.rateLimits ? STREAMS : NO_CONCURRENCY_LIMITS),
    async begin(): Promise<void> {
      await broadcast.open()
      await poller.open()
      stopHoldExpiry = startHoldExpiry(database, env.prizeHoldMinutes, log, () => poller.requestPoll())
    },
    async close(): Promise<void> {
      refusedNames.close()
      await poller.close()
      await stopHoldExpiry()
      await database.end()
    },
  }
}

async function addRoutes(server: FastifyInstance, parts: Parts): Promise<void> {
  const { accounts, broadcast, env, metrics, readiness, refusedNames } = parts
  guard(server, parts)
  server.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    metrics.requests.observe({ route, status: reply.statusCode }, reply.elapsedTime / 1_000)
    done()
  })
  // Ends streams and waiting hashes, which would block the shutdown.
  server.addHook('preClose', async () => {
    broadcast.close()
    accounts.passwordHasher.close()
  })
  server.setNotFoundHandler(() => {
    throw new Problem('not_found')
  })
  await addOpenApi(server)
  const deps = { ...parts, mask: refusedNames.mask }
  await server.register(async calls => {
    calls.addHook('onRequest', (request, reply, done) => {
      if (isPublicRead(request.method, request.routeOptions.url)) reply.headers(PUBLIC_HEADERS)
      else refuseForeignCall(request)
      readiness.assertReady()
      done()
    })
    addPlay(calls, deps)
    addAccounts(calls, deps)
    addBoards(calls, deps)
    addLive(calls, deps)
  })
  addOperations(server, { env, metrics, readiness })
  await addPage(server, env)
}

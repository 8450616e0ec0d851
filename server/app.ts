import type { FastifyInstance } from 'fastify'
import { STREAMS } from '../contract/limits.ts'
import { BackupAge } from './database/backup-age.ts'
import { gameId } from './database/fingerprint.ts'
import { type Connection, openDatabase } from './database/pool.ts'
import { Cookies } from './http/cookies.ts'
import { CrossSiteRefusal } from './http/cross-site.ts'
import { guard } from './http/edge.ts'
import { answerCounter, Metrics } from './http/metrics.ts'
import { addOpenApi } from './http/openapi.ts'
import { addOperations } from './http/operations.ts'
import { isPublicRead, PUBLIC_HEADERS } from './http/public-reads.ts'
import { secureCheck } from './http/secure.ts'
import { addPage } from './http/static.ts'
import { deriveKeys } from './lib/keys.ts'
import { addressKey } from './limits/address.ts'
import { Limiter, NO_LIMITS } from './limits/limiter.ts'
import { NO_STREAM_LIMITS, StreamLimit } from './limits/stream-limit.ts'
import { openLive } from './live/open-live.ts'
import { openAccounts } from './people/open-accounts.ts'
import { RefusedNames } from './people/refused-names.ts'
import { openPlay } from './play/open-play.ts'
import { Problem } from './problem.ts'
import { addAccounts } from './routes/accounts.ts'
import { addBoards } from './routes/boards.ts'
import { Guests } from './routes/guests.ts'
import { addLive } from './routes/live.ts'
import { addPlay } from './routes/play.ts'
import type { Env } from './settings.mjs'

interface Tuning {
  readonly hashCost?: number
}

export type App = Awaited<ReturnType<typeof openApp>>

/** Opens one node with its routes. `begin` starts the background work. */
export async function openApp(
  env: Env,
  secret: string,
  connection: Connection,
  server: FastifyInstance,
  tuning: Tuning = {},
) {
  const parts = await openParts(env, secret, connection, server, tuning)
  await addRoutes(server, parts)
  return { ...parts, close: () => server.close().finally(parts.close) }
}

type Parts = Awaited<ReturnType<typeof openParts>>

async function openParts(
  env: Env,
  secret: string,
  connection: Connection,
  { log, outageLog }: FastifyInstance,
  { hashCost }: Tuning,
) {
  const keys = deriveKeys(secret)
  const refusedNames = await RefusedNames.open(env.dataDir, log)
  const { mask, isRefused: isRefusedName } = refusedNames
  const database = openDatabase(connection, log)
  const live = openLive({ connection, database, mask, log })
  const { poller, readiness, broadcast } = live
  const accounts = openAccounts({ env, database, isRefusedName, hashCost })
  const play = openPlay({ env, keys, database, poller, isRefusedName, log })
  const backupAge = new BackupAge(database)
  const metrics = new Metrics({ backupAge, game: gameId(secret), poller, broadcast })
  poller.on('recovered', outageLog.end)
  refusedNames.on('changed', () => broadcast.renew())
  play.recorder.on('recorded', (attempts, wins) => {
    readiness.recorded()
    metrics.attempts.inc(attempts)
    metrics.wins.inc(wins)
  })
  play.recorder.on('failed', () => readiness.failed())
  return {
    accounts,
    backupAge,
    cookies: new Cookies(keys.cookies, secureCheck(env)),
    database,
    env,
    limits: new Limiter(env.rateLimits ? undefined : NO_LIMITS),
    live,
    metrics,
    play,
    refusedNames,
    streamLimit: new StreamLimit(env.rateLimits ? STREAMS : NO_STREAM_LIMITS),
    async begin(): Promise<void> {
      await live.begin()
      play.begin()
      backupAge.begin()
    },
    async close(): Promise<void> {
      refusedNames.close()
      backupAge.close()
      await live.close()
      await play.close()
      await database.end()
    },
  }
}

async function addRoutes(server: FastifyInstance, parts: Parts): Promise<void> {
  const { accounts, cookies, database, env, limits, live, metrics, refusedNames } = parts
  const { readiness, broadcast } = live
  guard(server, parts)
  const crossSite = new CrossSiteRefusal(env.publicUrl)
  server.addHook('onRequest', (request, _reply, done) => {
    crossSite.refuseUnsafe(request)
    done()
  })
  const count = answerCounter(metrics, env)
  server.addHook('onResponse', (request, reply, done) => {
    count(request, reply)
    done()
  })
  // Ends streams and waiting hashes, which would block the shutdown.
  server.addHook('preClose', async () => {
    broadcast.close()
    accounts.passwordHasher.close()
  })
  server.setNotFoundHandler(request => {
    limits.charge('calls', addressKey(request.ip))
    throw new Problem('not_found')
  })
  await addOpenApi(server, limits)
  const { authenticator } = accounts
  const deps = { ...parts, authenticator, guests: new Guests({ authenticator, cookies, limits }) }
  await server.register(async calls => {
    calls.addHook('onRequest', (request, reply, done) => {
      if (isPublicRead(request.method, request.routeOptions.url)) reply.headers(PUBLIC_HEADERS)
      else crossSite.refuseCall(request)
      readiness.assertReady()
      done()
    })
    addPlay(calls, deps)
    addAccounts(calls, deps)
    addBoards(calls, { ...deps, database, mask: refusedNames.mask })
    addLive(calls, { ...deps, broadcast })
  })
  addOperations(server, { env, limits, metrics, readiness })
  await addPage(server, env)
}

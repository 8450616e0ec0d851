import { STREAMS } from '../contract/limits.ts'
import { BackupAge } from './database/backup-age.ts'
import { gameId } from './database/fingerprint.ts'
import { Heartbeat } from './live/database-poller.ts'
import { type Connection, openDatabase } from './database/pool.ts'
import { Readiness } from './live/readiness.ts'
import type { Env } from './env.ts'
import { BotDetector } from './game/bot-detector.ts'
import { prizeClaim } from './game/claims.ts'
import { currentRoundCheck } from './game/current-rounds.ts'
import { startHoldExpiry } from './game/hold-expiry.ts'
import { Recorder } from './game/recorder.ts'
import { Rounds } from './game/rounds.ts'
import { MAX_CONNECTIONS } from './http/edge.ts'
import { Metrics } from './http/metrics.ts'
import { secureCheck } from './http/secure.ts'
import { SecurityLog } from './http/security-log.ts'
import { Cookies } from './http/cookies.ts'
import { openIdentities } from './callers/authenticator.ts'
import { createEndSession } from './callers/end-session.ts'
import { PasswordHasher } from './users/passwords.ts'
import { RefusedNames } from './names/refused-names.ts'
import { Visitors } from './routes/callers.ts'
import { deriveKeys } from './lib/keys.ts'
import { ConcurrencyLimit } from './limits/concurrency.ts'
import { Limiter } from './limits/limiter.ts'
import { Live } from './live/live.ts'
import type { Logger } from './log.ts'

/** Everything that the routes of one node use. */
export type Services = Readonly<Awaited<ReturnType<typeof openServices>>>

/** What only tests set. */
interface Tuning {
  /** bcrypt's cost. */
  readonly hashCost?: number
}

/** Opens the services of one node; background work starts with `begin`. */
export async function openServices(
  env: Env,
  secret: string,
  connection: Connection,
  log: Logger,
  tuning: Tuning = {},
) {
  const keys = deriveKeys(secret)
  const limits = new Limiter(env.rateLimits)
  const refusedNames = await RefusedNames.open(env.dataDir, log)
  const database = openDatabase(connection, log)
  const passwordHasher = new PasswordHasher(keys.pepper, env.rateLimits, tuning.hashCost)
  const heartbeat = new Heartbeat(connection, log)
  const { clock } = heartbeat
  const live = new Live(database, heartbeat, log, refusedNames.mask)
  refusedNames.on('changed', () => live.renew())
  const backupAge = new BackupAge(database)
  const metrics = new Metrics({ backupAge, game: gameId(secret), heartbeat, live })
  const readiness = new Readiness(database, heartbeat)
  const botDetector = new BotDetector(database, log)
  const recorder = new Recorder(database, clock, env.prizeHoldMinutes)
  recorder.on('recorded', (attempts, wins) => {
    readiness.recorded()
    metrics.attempts.inc(attempts)
    metrics.wins.inc(wins.length)
    botDetector.watch(wins)
    heartbeat.ask()
  })
  recorder.on('failed', () => readiness.failed())
  const cookies = new Cookies(keys.cookies, secureCheck(env))
  const identities = openIdentities(database, clock)
  let stopHoldExpiry = () => Promise.resolve()
  return {
    env,
    botDetector,
    claim: prizeClaim(database),
    database,
    cookies,
    backupAge,
    endSession: createEndSession(database),
    heartbeat,
    identities,
    isRefusedName: refusedNames.isRefused,
    isCurrentRound: currentRoundCheck(database),
    limits,
    live,
    metrics,
    passwordHasher,
    readiness,
    recorder,
    refusedNames,
    rounds: new Rounds(keys),
    securityLog: new SecurityLog(log),
    streams: new ConcurrencyLimit(
      env.rateLimits,
      STREAMS.ofAddress,
      Math.floor(MAX_CONNECTIONS * STREAMS.shareOfConnections),
    ),
    streamsOfPlayer: new ConcurrencyLimit(env.rateLimits, STREAMS.ofPlayer),
    visitors: new Visitors({ cookies, identities, limits }),
    /** Starts background work, once the database is there and migrated. */
    async begin(): Promise<void> {
      await live.open()
      await heartbeat.open()
      stopHoldExpiry = startHoldExpiry(database, log, () => heartbeat.ask())
      backupAge.begin()
    },
    /** Ends everything that uses the database. */
    async close(): Promise<void> {
      refusedNames.close()
      backupAge.close()
      await heartbeat.close()
      await Promise.all([botDetector, readiness].map(each => each.close()))
      await stopHoldExpiry()
      await database.end()
    },
  }
}

import { CONCURRENCY } from '../contract/limits.ts'
import { type Connection, type Database, openDatabase } from './database/pool.ts'
import { Readiness } from './database/readiness.ts'
import type { Env } from './env.ts'
import { BotDetector } from './game/bot-detector.ts'
import { CurrentRounds } from './game/current-rounds.ts'
import { HoldExpiry } from './game/hold-expiry.ts'
import { Recorder, type Submission } from './game/recorder.ts'
import { Rounds } from './game/rounds.ts'
import { Metrics } from './http/metrics.ts'
import { secureCheck } from './http/secure.ts'
import { SecurityLog } from './http/security-log.ts'
import { Cookies } from './identity/cookies.ts'
import { Identities } from './identity/identity.ts'
import { Passwords } from './identity/passwords.ts'
import { RefusedWords } from './identity/refused-words.ts'
import { deriveKeys } from './lib/keys.ts'
import { ConcurrencyLimit } from './limits/concurrency.ts'
import { Limiter } from './limits/limiter.ts'
import { LoginThrottle } from './limits/login-throttle.ts'
import { Live } from './live/live.ts'
import { PubSub } from './live/pubsub.ts'
import type { Logger } from './log.ts'

/** Everything that the routes of one node work with. */
export interface Services {
  readonly env: Env
  readonly database: Database
  readonly cookies: Cookies
  readonly loginThrottle: LoginThrottle
  readonly securityLog: SecurityLog
  readonly limits: Limiter
  readonly live: Live
  readonly metrics: Metrics
  readonly passwords: Passwords
  readonly readiness: Readiness
  readonly recorder: Recorder
  readonly refusedWords: RefusedWords
  readonly rounds: Rounds
  readonly streams: ConcurrencyLimit
  readonly currentRounds: CurrentRounds
  readonly identities: Identities
  /** Lets go of the database. */
  close(): Promise<void>
}

/**
 * Opens the services of one node on a migrated database.
 *
 * @param batchSize as the recorder's
 */
export async function openServices(
  env: Env,
  secret: string,
  connection: Connection,
  log: Logger,
  batchSize?: number,
): Promise<Services> {
  const keys = deriveKeys(secret)
  const limits = new Limiter(env.rateLimits)
  const refusedWords = await RefusedWords.open(env.dataDir)
  const database = openDatabase(connection, log)
  const passwords = new Passwords(keys.pepper)
  const pubsub = new PubSub(connection, database, log)
  const live = new Live(database, pubsub, log)
  const metrics = new Metrics(() => live.viewers)
  const botDetector = new BotDetector(database, log, players => metrics.flagged.inc(players))
  const readiness = new Readiness(database)
  const onRecorded = (attempts: number, wins: readonly Submission[]) => {
    readiness.recorded()
    metrics.attempts.inc(attempts)
    metrics.wins.inc(wins.length)
    botDetector.watch(wins)
    live.publish('prize_pool', 'attempts')
  }
  const onFailed = () => {
    readiness.failed()
    // It may be committed all the same, with only the word of it lost.
    live.publish('prize_pool', 'attempts')
  }
  const recorder = new Recorder(database, env.prizeHoldMinutes, onRecorded, onFailed, batchSize)
  const holdExpiry = new HoldExpiry(database, log, taps => {
    metrics.returned.inc(taps)
    live.publish('prize_pool')
  })
  await live.open()
  await pubsub.open()
  holdExpiry.open()
  return {
    env,
    database,
    cookies: new Cookies(keys.cookies, secureCheck(env)),
    loginThrottle: new LoginThrottle(limits),
    securityLog: new SecurityLog(log),
    limits,
    live,
    metrics,
    passwords,
    readiness,
    recorder,
    refusedWords,
    rounds: new Rounds(keys),
    streams: new ConcurrencyLimit(env.rateLimits, CONCURRENCY.streams),
    currentRounds: new CurrentRounds(database),
    identities: new Identities(database),
    async close() {
      botDetector.close()
      await holdExpiry.close()
      await pubsub.close()
      await database.end()
      await passwords.close()
    },
  }
}

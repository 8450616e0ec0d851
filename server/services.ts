import { type Connection, type Database, openDatabase } from './database/db.ts'
import { Readiness } from './database/readiness.ts'
import type { Env } from './env.ts'
import { Events } from './events.ts'
import { Recorder, type Submission } from './game/recorder.ts'
import { Referee } from './game/referee.ts'
import { Returner } from './game/returner.ts'
import { Rounds } from './game/rounds.ts'
import { Turns } from './game/turns.ts'
import { Metrics } from './http/metrics.ts'
import { secureCheck } from './http/secure.ts'
import { Limiter } from './limits/limiter.ts'
import { ROOMS } from './limits/limits.ts'
import { Occupancy } from './limits/occupancy.ts'
import { Live } from './live/live.ts'
import { Notices } from './live/notices.ts'
import type { Logger } from './log.ts'
import { AccountChanges } from './people/account-changes.ts'
import { Accounts } from './people/accounts.ts'
import { Cookies } from './people/cookies.ts'
import { Doorman } from './people/doorman.ts'
import { deriveKeys } from './people/keys.ts'
import { Passwords } from './people/passwords.ts'
import { RefusedWords } from './people/refused-words.ts'
import { Visitors } from './people/visitors.ts'
import { ALONE, type Crew } from './workers/crew.ts'

/** Everything that the routes of one node work with. */
export interface Services {
  readonly env: Env
  readonly database: Database
  readonly accounts: Accounts
  readonly accountChanges: AccountChanges
  readonly cookies: Cookies
  readonly doorman: Doorman
  readonly events: Events
  readonly limits: Limiter
  readonly live: Live
  readonly metrics: Metrics
  readonly readiness: Readiness
  readonly recorder: Recorder
  readonly refusedWords: RefusedWords
  readonly rounds: Rounds
  readonly streams: Occupancy
  readonly turns: Turns
  readonly visitors: Visitors
  /** Ends the live streams, so that the server can close; comes before `close`. */
  endStreams(): void
  /** Lets go of the database. */
  close(): Promise<void>
}

/**
 * Opens the services of one node on a migrated database.
 *
 * @param crew the other processes of the same server
 * @param batchSize as the recorder's
 */
export async function openServices(
  env: Env,
  secret: string,
  connection: Connection,
  log: Logger,
  crew: Crew = ALONE,
  batchSize?: number,
): Promise<Services> {
  const keys = deriveKeys(secret)
  const limits = new Limiter(env.rateLimits)
  const refusedWords = await RefusedWords.open(env.dataDir)
  const database = openDatabase(connection, log)
  const passwords = new Passwords(keys.pepper)
  const notices = new Notices(connection, database, log)
  const live = new Live(database, notices, log)
  const metrics = new Metrics(() => live.viewers, crew)
  const leave = crew.join(limits, metrics.registry)
  const referee = new Referee(database, log, players => metrics.flagged.inc(players))
  const readiness = new Readiness(database)
  const onRecorded = (attempts: number, wins: readonly Submission[]) => {
    readiness.recorded()
    metrics.attempts.inc(attempts)
    metrics.wins.inc(wins.length)
    referee.watch(wins)
    live.publish('prize_pool', 'attempts')
  }
  const onFailed = () => {
    readiness.failed()
    // It may be committed all the same, with only the word of it lost.
    live.publish('prize_pool', 'attempts')
  }
  const recorder = new Recorder(database, env.prizeHoldMinutes, onRecorded, onFailed, batchSize)
  const returner = new Returner(database, log, taps => {
    metrics.returned.inc(taps)
    live.publish('prize_pool')
  })
  await live.open()
  await notices.open()
  returner.open()
  return {
    env,
    database,
    accounts: new Accounts(database, passwords, refusedWords),
    accountChanges: new AccountChanges(database, passwords),
    cookies: new Cookies(keys.cookies, secureCheck(env)),
    doorman: new Doorman(limits),
    events: new Events(log),
    limits,
    live,
    metrics,
    readiness,
    recorder,
    refusedWords,
    rounds: new Rounds(keys),
    streams: new Occupancy(env.rateLimits, ROOMS.streams),
    turns: new Turns(database),
    visitors: new Visitors(database),
    endStreams() {
      live.close()
    },
    async close() {
      leave()
      referee.close()
      await returner.close()
      await notices.close()
      await database.end()
      await passwords.close()
    },
  }
}

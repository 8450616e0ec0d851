import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../../log.ts'
import type { Connection } from '../pool.ts'
import { connectionTo, GAME_DATABASE, type Installation, install, sweepDrafts } from './installation.ts'
import { AlreadyOwned, tryConnect } from './owner.ts'
import type { Binaries } from './programs.ts'
import { Supervisor } from './supervisor.ts'

export interface EmbeddedPostgresOptions {
  /** Where everything is kept; made when missing. */
  readonly dataDir: string
  readonly log: Pick<Logger, 'info' | 'warn'>
  /**
   * False for a short visit: a database that is up is used as it is, neither owned nor stopped; one that is down
   * is started, owned and stopped. True by default.
   */
  readonly exclusive?: boolean
  /** Settings of PostgreSQL that replace ours, for tests. */
  readonly settings?: Readonly<Record<string, string>>
  /** Those of another PostgreSQL than ours, for tests. */
  readonly binaries?: Binaries | undefined
}

/** How long a visitor waits for a database that somebody else is starting. */
const VISIT_TIMEOUT_MS = 30_000
const POLL_MS = 50

/** A PostgreSQL of our own, in the data folder. */
export interface EmbeddedPostgres {
  /** To the game's database, through a socket that only this account can open. */
  readonly connection: Connection
  /** Stops the database, in at most 8 s, unless this is a visit to one that was up; again and at any time without harm. */
  stop(): Promise<void>
}

/**
 * Opens the embedded PostgreSQL: makes the cluster at the first start, adopts one that outlived its server, and
 * starts it again whenever it dies, until `stop`.
 *
 * @throws StartError when it cannot be had: another server owns the folder, another major version made it, the
 * disk is full, the account has no right to it
 */
export async function openEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir, log, exclusive = true, settings = {}, binaries } = options
  const installation = await install(dataDir, binaries)
  const connection = connectionTo(GAME_DATABASE, installation)
  const visit: EmbeddedPostgres = { connection, stop: async () => undefined }
  if (!exclusive && (await isUp(installation))) return visit

  const supervisor = new Supervisor(installation, settings, log)
  try {
    await supervisor.open()
  } catch (error) {
    if (!(error instanceof AlreadyOwned)) await supervisor.stop()
    // Somebody else has started it just now, which serves a visitor as well.
    else if (!exclusive) return visit
    throw error
  }
  await sweepDrafts(installation.paths)
  return { connection, stop: () => supervisor.stop() }
}

/** True when a PostgreSQL is there to be used; waits for one that is on its way up or down. */
async function isUp(installation: Installation): Promise<boolean> {
  const deadline = performance.now() + VISIT_TIMEOUT_MS
  while (performance.now() < deadline) {
    const answer = await tryConnect(installation)
    if (answer === 'absent') return false
    if (typeof answer === 'object') return answer.end().then(() => true)
    await sleep(POLL_MS)
  }
  return false
}

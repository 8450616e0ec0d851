import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../log.ts'
import { makeDataDir } from './data-dir.ts'
import type { Connection } from './db.ts'
import { chooseAccount } from './embedded/account.ts'
import { findBinaries } from './embedded/binaries.ts'
import { makeCluster, ROLE, sweepDrafts } from './embedded/cluster.ts'
import { AlreadyOwned, knock } from './embedded/owner.ts'
import { type Places, placesIn, SOCKET_PORT, socketFolder } from './embedded/places.ts'
import { Supervisor } from './embedded/supervisor.ts'

const MAINTENANCE_DATABASE = 'postgres'
const GAME_DATABASE = 'taps'

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
}

/** How long a visitor waits for a database that somebody else is starting. */
const VISIT_TIMEOUT_MS = 30_000
const POLL_MS = 50

/** A PostgreSQL of our own, in the data folder. */
export interface EmbeddedPostgres {
  /** To the game's database, through a socket that only this account can open. */
  readonly connection: Connection
  /** True when this process started or adopted it, and `stop` stops it. */
  readonly owned: boolean
  /** Stops the database, in at most 8 s; again and at any time without harm. */
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
  const { dataDir, log, exclusive = true, settings = {} } = options
  await makeDataDir(dataDir)
  const binaries = await findBinaries()
  const places = await placesIn(dataDir)
  const account = await chooseAccount(places.home)
  await makeCluster(places, binaries, account)
  const socket = await socketFolder(places.home, account)
  const password = (await readFile(places.password, 'utf8')).trim()
  const server: Connection = { host: socket, port: SOCKET_PORT, user: ROLE, password, ssl: false }
  const maintenance = { ...server, database: MAINTENANCE_DATABASE }
  const connection = { ...server, database: GAME_DATABASE }

  const guest: EmbeddedPostgres = { connection, owned: false, stop: async () => undefined }
  if (!exclusive && (await isUp(maintenance, places))) return guest

  const installation = { places, binaries, account, socket, settings }
  const supervisor = new Supervisor(installation, maintenance, GAME_DATABASE, log)
  try {
    await supervisor.open()
  } catch (error) {
    if (!(error instanceof AlreadyOwned)) await supervisor.stop()
    // Somebody else has started it just now, which serves a visitor as well.
    else if (!exclusive) return guest
    throw error
  }
  await sweepDrafts(places.dataDir)
  return { connection, owned: true, stop: () => supervisor.stop() }
}

/** True when a PostgreSQL is there to be used; waits for one that is on its way up or down. */
async function isUp(connection: Connection, places: Places): Promise<boolean> {
  const deadline = performance.now() + VISIT_TIMEOUT_MS
  while (performance.now() < deadline) {
    const answer = await knock(connection, places)
    if (answer === 'absent') return false
    if (typeof answer === 'object') return answer.end().then(() => true)
    await sleep(POLL_MS)
  }
  return false
}

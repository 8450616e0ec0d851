import { mkdtemp, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type pg from 'pg'
import { connectionOf, describeAddress, NO_TIMEOUT, withClient } from '../database/connection.ts'
import { hasGame } from '../database/migrate.ts'
import { type EmbeddedPostgresOptions, openEmbeddedPostgres } from '../embedded/embedded-postgres.ts'
import { hasCluster } from '../embedded/installation.ts'
import type { SystemUser } from '../embedded/programs.ts'
import { StartError } from '../lib/errors.ts'
import { STOP_SIGNALS } from '../lib/process.ts'
import type { Call } from './command.ts'
import { printNote } from './output.ts'

const SIGNALS = [...STOP_SIGNALS, 'SIGQUIT'] as const

/** Runs work with an AbortSignal that fires on stop signals. */
async function interruptible<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const controller = new AbortController()
  const interrupt = () => controller.abort(new StartError('Interrupted; unfinished changes were rolled back'))
  for (const name of SIGNALS) process.on(name, interrupt)
  try {
    return await work(controller.signal)
  } catch (error) {
    // Ctrl-C also ends initdb, whose error would hide the reason.
    throw controller.signal.aborted ? controller.signal.reason : error
  } finally {
    for (const name of SIGNALS) process.off(name, interrupt)
  }
}

type Work<Result> = (client: pg.Client) => Promise<Result>

const LOG = { warn: (message: unknown) => printNote(`${message}`) }

/**
 * Runs work on the game's database, after printing its address, without migrating the database. Starts the embedded
 * PostgreSQL if it is not running.
 *
 * @throws {StartError} when the database cannot be reached, or on a stop signal
 * @throws the error of `work`
 */
export function withDatabase<Result>({ env, tell }: Call, work: Work<Result>): Promise<Result> {
  const act = (client: pg.Client) => {
    tell(describeAddress(env))
    return work(client)
  }
  return interruptible(async signal => {
    if (!env.databaseUrl) return withEmbedded({ dataDir: env.dataDir, exclusive: false }, act, signal)
    return withClient(connectionOf(env.databaseUrl), act, { ...NO_TIMEOUT, signal })
  })
}

/**
 * Runs work on a database that contains a game.
 *
 * @throws {StartError} when there is no game
 */
export async function withGame<Result>(call: Call, work: Work<Result>): Promise<Result> {
  const nothing = () => new StartError(`There is no game in ${describeAddress(call.env)}: nothing to do`)
  // Checks first, because opening the database would create an empty cluster.
  if (!call.env.databaseUrl && !hasCluster(call.env.dataDir)) throw nothing()
  return withDatabase(call, async client => {
    if (!(await hasGame(client))) throw nothing()
    return work(client)
  })
}

/** Faster settings, for data that need not survive a crash. */
const SETTINGS = { fsync: 'off', full_page_writes: 'off', autovacuum: 'off' }

/**
 * Runs work on an empty database of a temporary embedded PostgreSQL next to the backup, where the disk has
 * room. Removes the database's folder afterwards, even after a signal.
 *
 * @throws {StartError} when PostgreSQL is not installed or does not start, or on a stop signal
 * @throws the error of `work`
 */
export function withTemporaryPostgres<Result>(backup: string, work: Work<Result>): Promise<Result> {
  return interruptible(async signal => {
    const parent = dirname(backup)
    const user = await ownerOf(parent)
    const dataDir = await mkdtemp(join(parent, `.${basename(backup)}.verify-`))
    try {
      return await withEmbedded({ dataDir, settings: SETTINGS, user }, work, signal)
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
  })
}

async function withEmbedded<Result>(
  options: Omit<EmbeddedPostgresOptions, 'log'>,
  work: Work<Result>,
  signal: AbortSignal,
): Promise<Result> {
  const { connection, stop } = await openEmbeddedPostgres({ ...options, log: LOG })
  try {
    return await withClient(connection, work, { ...NO_TIMEOUT, signal })
  } finally {
    await stop()
  }
}

/** Returns the folder's owner when this process is root, because no other user may enter a private folder. */
async function ownerOf(folder: string): Promise<SystemUser | undefined> {
  const { uid, gid } = await stat(folder)
  return process.geteuid?.() === 0 && uid !== 0 ? { uid, gid, prefix: [] } : undefined
}

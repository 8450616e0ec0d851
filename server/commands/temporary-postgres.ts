import { mkdtemp, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type pg from 'pg'
import { NO_TIMEOUT, withClient } from '../database/client.ts'
import { openEmbeddedPostgres } from '../embedded/embedded-postgres.ts'
import { findBinaries, type SystemUser } from '../embedded/programs.ts'
import { StartError } from '../lib/start-error.ts'
import { interruptible } from './interruptible.ts'

/** Faster settings, for data that need not survive a crash. */
const SETTINGS = { fsync: 'off', full_page_writes: 'off', autovacuum: 'off' }
const LOG = { warn: (message: unknown) => process.stderr.write(`${message}\n`) }

/**
 * Runs work on an empty database of a temporary embedded PostgreSQL next to the backup, where the disk has
 * room. Removes the database's folder afterwards, even after a signal.
 *
 * @throws {StartError} when PostgreSQL is not installed or does not start, or on a stop signal
 * @throws the error of `work`
 */
export function withTemporaryPostgres<Result>(
  backup: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  return interruptible(async signal => {
    await requirePrograms()
    const parent = dirname(backup)
    const user = await ownerOf(parent)
    const dataDir = await mkdtemp(join(parent, `.${basename(backup)}.verify-`))
    try {
      return await runIn(dataDir, user, work, signal)
    } catch (error) {
      // Ctrl-C also ends initdb, whose error would hide the reason.
      throw signal.aborted ? signal.reason : error
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
  })
}

/** @throws {StartError} in an image without the embedded PostgreSQL */
async function requirePrograms(): Promise<void> {
  await findBinaries().catch(cause => {
    const advice = 'verify a copy of the backup in a checkout in which npm start ran'
    throw new StartError(`PostgreSQL's programs are not installed here: ${advice}`, { cause })
  })
}

async function runIn<Result>(
  dataDir: string,
  user: SystemUser | undefined,
  work: (client: pg.Client) => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  const { connection, stop } = await openEmbeddedPostgres({ dataDir, log: LOG, settings: SETTINGS, user })
  try {
    return await withClient(connection, work, { ...NO_TIMEOUT, signal })
  } finally {
    await stop()
    // The socket's folder is elsewhere when the path of the data folder is too long.
    await rm(connection.host ?? '', { recursive: true, force: true })
  }
}

/**
 * Returns the folder's owner when this process is root: PostgreSQL refuses to run as root, and must reach the
 * folder.
 */
async function ownerOf(folder: string): Promise<SystemUser | undefined> {
  const { uid, gid } = await stat(folder)
  return process.geteuid?.() === 0 && uid !== 0 ? { uid, gid, prefix: [] } : undefined
}

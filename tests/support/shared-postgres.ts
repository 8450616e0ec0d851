import { execFile } from 'node:child_process'
import { mkdtemp, readFile, readlink, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type pg from 'pg'
import type { Connection } from '../../server/database/connection.ts'
import { type EmbeddedPostgres, openEmbeddedPostgres } from '../../server/embedded/embedded-postgres.ts'
import { pathsIn, SOCKET_PORT, socketFolder } from '../../server/embedded/installation.ts'
import { isRunning, lockHolder, pidFile } from '../../server/embedded/postmaster.ts'
import { type Binaries, chooseSystemUser } from '../../server/embedded/programs.ts'
import { errorCode } from '../../server/lib/errors.ts'
import { toUrl } from './command.ts'

/** The secret that servers with a DATABASE_URL share. */
export const SHARED_SECRET = 'a secret that only these tests know, 32 or more'

/**
 * Creates a data folder with a short name, because sockets need short paths. Copies the test run's empty
 * cluster into the folder, which is faster than creating a cluster.
 */
export async function newDataDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'taps-faults-'))
  const { FAULTS_DATA_DIR } = process.env
  if (FAULTS_DATA_DIR) await promisify(execFile)('cp', ['-pR', `${FAULTS_DATA_DIR}/.`, folder])
  return folder
}

/** Returns the connection to a data folder's embedded PostgreSQL, even while PostgreSQL is stopped. */
export async function connectionOf(
  dataDir: string,
): Promise<Connection & { host: string; password: string }> {
  const paths = await pathsIn(dataDir)
  const host = await socketFolder(paths.home, await chooseSystemUser(paths.home))
  const password = (await readFile(paths.password, 'utf8')).trim()
  return { host, port: SOCKET_PORT, user: 'taps', password, database: 'taps', ssl: false }
}

/**
 * Returns the id of PostgreSQL's main process in a data folder, or 0. On Linux the process must run in this
 * folder, because an old pid file may name another program.
 */
export async function postmasterOf(dataDir: string): Promise<number> {
  const paths = await pathsIn(dataDir)
  const pid = await lockHolder(pidFile(paths))
  if (pid === null || !isRunning(pid)) return 0
  if (process.platform !== 'linux') return pid
  const folder = await readlink(`/proc/${pid}/cwd`).catch(() => '')
  return folder === paths.cluster ? pid : 0
}

export async function backendsOf(pool: pg.Pool): Promise<number[]> {
  const { rows } = await pool.query<{ pid: number }>(
    `select pid from pg_stat_activity where application_name = 'taps' and pid <> pg_backend_pid()`,
  )
  return rows.map(({ pid }) => pid)
}

export async function processesOf(pool: pg.Pool): Promise<number[]> {
  const { rows } = await pool.query<{ pid: number }>('select pid from pg_stat_activity')
  return rows.map(({ pid }) => pid)
}

/** Sends a signal to processes; ignores processes that have ended. */
export function send(signal: NodeJS.Signals, pids: readonly number[]): void {
  // Skips the id 0, which would mean this process and its whole group.
  for (const pid of pids.filter(pid => pid > 0)) {
    try {
      process.kill(pid, signal)
    } catch (error) {
      if (errorCode(error) !== 'ESRCH') throw error
    }
  }
}

export function settingsFor(connection: Connection): Record<string, string> {
  return { DATABASE_URL: toUrl(connection), SECRET: SHARED_SECRET }
}

/** A PostgreSQL that several servers share. By default, commits reach the disk. */
export class SharedPostgres {
  readonly dataDir: string
  readonly #embedded: EmbeddedPostgres

  private constructor(dataDir: string, embedded: EmbeddedPostgres) {
    this.dataDir = dataDir
    this.#embedded = embedded
  }

  /**
   * @param settings - PostgreSQL settings in addition to the game's own.
   * @param binaries - PostgreSQL's programs; the embedded programs by default.
   */
  static async open(
    settings: Readonly<Record<string, string>> = {},
    binaries?: Binaries,
  ): Promise<SharedPostgres> {
    const dataDir = await newDataDir()
    const log = { info: () => undefined, warn: () => undefined }
    return new SharedPostgres(dataDir, await openEmbeddedPostgres({ dataDir, log, settings, binaries }))
  }

  get connection(): Connection {
    return this.#embedded.connection
  }

  /** Returns settings for a server that connects through this relay or pooler; by default, the socket. */
  settings(proxy?: Connection, database = this.connection.database): Record<string, string> {
    return settingsFor({ ...this.connection, ...proxy, database })
  }

  stop(): Promise<void> {
    return this.#embedded.stop()
  }

  async close(): Promise<void> {
    await this.stop()
    await rm(this.dataDir, { recursive: true, force: true })
  }
}

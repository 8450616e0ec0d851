import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type pg from 'pg'
import { chooseAccount } from '../../server/database/embedded/account.ts'
import {
  type EmbeddedPostgres,
  openEmbeddedPostgres,
} from '../../server/database/embedded/embedded-postgres.ts'
import { readPid } from '../../server/database/embedded/lock-files.ts'
import { pathsIn, SOCKET_PORT, socketFolder } from '../../server/database/embedded/paths.ts'
import type { Connection } from '../../server/database/pool.ts'
import { errorCode } from '../../server/lib/files.ts'

/** The secret that servers with a DATABASE_URL share. */
export const SHARED_SECRET = 'a secret that only these tests know, 32 or more'

/**
 * A data folder of its own; the name is short, because sockets need short paths. In a run of tests there is a database
 * in it, in which there is no game: to make one takes most of a second of a core.
 */
export async function newDataDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'taps-faults-'))
  const { FAULTS_DATA_DIR } = process.env
  if (FAULTS_DATA_DIR) await promisify(execFile)('cp', ['-pR', `${FAULTS_DATA_DIR}/.`, folder])
  return folder
}

/** How to reach the embedded PostgreSQL of a data folder, whether it is up or not. */
export async function connectionOf(
  dataDir: string,
): Promise<Connection & { host: string; password: string }> {
  const paths = await pathsIn(dataDir)
  const host = await socketFolder(paths.home, await chooseAccount(paths.home))
  const password = (await readFile(paths.password, 'utf8')).trim()
  return { host, port: SOCKET_PORT, user: 'taps', password, database: 'taps', ssl: false }
}

/**
 * PostgreSQL's main process in a data folder, 0 when there is none. A number left over in its pid file may be some
 * other program's by now, and what we do to it would be done to that: PostgreSQL works in its own folder.
 */
export async function postmasterOf(dataDir: string): Promise<number> {
  const paths = await pathsIn(dataDir)
  const pid = await readPid(paths)
  if (pid === null) return 0
  const folder = await readlink(`/proc/${pid}/cwd`).catch(() => '')
  return folder === paths.cluster ? pid : 0
}

/** The processes that a process has started; none for 0. */
export async function childrenOf(parent: number): Promise<number[]> {
  if (parent === 0) return []
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name)).map(Number)
  const parents = await Promise.all(pids.map(parentOf))
  return pids.filter((_, place) => parents[place] === parent)
}

async function parentOf(pid: number): Promise<number> {
  return Number((await statOf(pid))[1])
}

/** State, parent and so on; `/proc/<pid>/stat` is "pid (name) state parent …", and a name may hold anything. */
async function statOf(pid: number): Promise<string[]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** The game's connections, on the side of the database. */
export async function backendsOf(pool: pg.Pool): Promise<number[]> {
  const { rows } = await pool.query<{ pid: number }>(
    `select pid from pg_stat_activity where application_name = 'taps' and pid <> pg_backend_pid()`,
  )
  return rows.map(({ pid }) => pid)
}

/** Sends a signal to processes of which some may have ended by themselves. */
export function send(signal: NodeJS.Signals, pids: readonly number[]): void {
  // 0 would be this process and all its relatives.
  for (const pid of pids.filter(pid => pid > 0)) {
    try {
      process.kill(pid, signal)
    } catch (error) {
      if (errorCode(error) !== 'ESRCH') throw error
    }
  }
}

/** A PostgreSQL that several servers share, run by the test. */
export class SharedPostgres {
  readonly dataDir: string
  #embedded: EmbeddedPostgres

  private constructor(dataDir: string, embedded: EmbeddedPostgres) {
    this.dataDir = dataDir
    this.#embedded = embedded
  }

  static async open(): Promise<SharedPostgres> {
    const dataDir = await newDataDir()
    return new SharedPostgres(dataDir, await openSilently(dataDir))
  }

  get connection(): Connection {
    return this.#embedded.connection
  }

  /** The settings of a server that uses it, through its socket or through another way. */
  settings(way?: Connection, database = this.connection.database): Record<string, string> {
    const { user, password, host } = this.connection
    const server = way
      ? `${way.host}:${way.port}/${database}`
      : `/${database}?host=${encodeURIComponent(`${host}`)}`
    return { DATABASE_URL: `postgres://${user}:${password}@${server}`, SECRET: SHARED_SECRET }
  }

  stop(): Promise<void> {
    return this.#embedded.stop()
  }

  async startAgain(): Promise<void> {
    this.#embedded = await openSilently(this.dataDir)
  }

  async close(): Promise<void> {
    await this.stop()
    await rm(this.dataDir, { recursive: true, force: true })
  }
}

function openSilently(dataDir: string): Promise<EmbeddedPostgres> {
  return openEmbeddedPostgres({ dataDir, log: { info: () => undefined, warn: () => undefined } })
}

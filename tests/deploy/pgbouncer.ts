import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import type { Connection } from '../../server/database/pool.ts'
import { freePort } from '../support/free-port.ts'
import { programPath } from './programs.ts'

const HOST = '127.0.0.1'
const STARTS_MS = 20_000
/** As whom it runs where root would start it, which it refuses. */
const SPARE_USER = 'nobody'

export type PoolMode = 'session' | 'transaction' | 'statement'

/** A PgBouncer in front of one database. */
export class PgBouncer {
  readonly #child: ChildProcess
  readonly #folder: string
  readonly port: number

  private constructor(child: ChildProcess, folder: string, port: number) {
    this.#child = child
    this.#folder = folder
    this.port = port
  }

  /**
   * Starts one.
   *
   * @param to the database, on a port
   * @param port a free one by default
   */
  static async open(mode: PoolMode, to: Connection, port?: number): Promise<PgBouncer> {
    const folder = await mkdtemp(join(tmpdir(), 'taps-pgbouncer-'))
    const listenPort = port ?? (await freePort(HOST))
    const file = join(folder, 'pgbouncer.ini')
    // Everybody is logged in as the one user that is named here; all else is as it comes.
    const lines = [
      '[databases]',
      `taps = host=${to.host} port=${to.port} dbname=${to.database} user=${to.user} password=${to.password}`,
      '[pgbouncer]',
      `listen_addr = ${HOST}`,
      `listen_port = ${listenPort}`,
      'unix_socket_dir =',
      'auth_type = any',
      `pool_mode = ${mode}`,
    ]
    await writeFile(file, `${lines.join('\n')}\n`)
    await chmod(folder, 0o755)
    const user = process.geteuid?.() === 0 ? ['-u', SPARE_USER] : []
    const child = spawn(programPath('pgbouncer'), ['-q', ...user, file], { stdio: 'ignore' })
    const pgbouncer = new PgBouncer(child, folder, listenPort)
    await vi.waitFor(() => pgbouncer.#answers(), { timeout: STARTS_MS, interval: 20 })
    return pgbouncer
  }

  /** How the game reaches it. */
  get connection(): Connection {
    return { host: HOST, port: this.port }
  }

  async close(): Promise<void> {
    const exited = once(this.#child, 'exit')
    if (this.#child.exitCode === null && this.#child.kill('SIGKILL')) await exited
    await rm(this.#folder, { recursive: true, force: true })
  }

  async #answers(): Promise<void> {
    const socket = connect(this.port, HOST)
    await once(socket, 'connect').finally(() => socket.destroy())
  }
}

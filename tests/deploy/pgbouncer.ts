import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import type { Connection } from '../../server/database/connection.ts'
import { freePort } from '../support/free-port.ts'

const HOST = '127.0.0.1'
const START_TIMEOUT_MS = 20_000

export interface PgBouncer {
  readonly port: number
  /** The connection for the game. */
  readonly connection: Connection
  close(): Promise<void>
}

/**
 * Starts a PgBouncer in front of one database.
 *
 * @param to - A database that listens on a port.
 * @param port - The port to listen on; a free port by default.
 */
export async function openPgBouncer(mode: string, to: Connection, port?: number): Promise<PgBouncer> {
  const folder = await mkdtemp(join(tmpdir(), 'taps-pgbouncer-'))
  await chmod(folder, 0o755)
  const listenPort = port ?? (await freePort(HOST))
  const file = join(folder, 'pgbouncer.ini')
  // Logs all clients in as the database's user; all other settings are defaults.
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
  // PgBouncer refuses to run as root.
  const user = process.geteuid?.() === 0 ? ['-u', 'nobody'] : []
  const child = spawn('pgbouncer', ['-q', ...user, file], { stdio: 'ignore' })
  const answers = async () => {
    const socket = connect(listenPort, HOST)
    await once(socket, 'connect').finally(() => socket.destroy())
  }
  await vi.waitFor(answers, { timeout: START_TIMEOUT_MS, interval: 20 })
  return {
    port: listenPort,
    connection: { host: HOST, port: listenPort },
    async close() {
      if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Connection } from '../../server/database/connection.ts'
import { freePort } from '../support/free-port.ts'
import { openSocket } from '../support/wire.ts'
import { startProgram } from './program.ts'

const HOST = '127.0.0.1'

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
  const isReady = async () => {
    const socket = await openSocket(`http://${HOST}:${listenPort}`)
    return Boolean(socket.destroy())
  }
  const program = await startProgram('pgbouncer', ['-q', ...user, file], isReady)
  return {
    port: listenPort,
    connection: { host: HOST, port: listenPort },
    async close() {
      // After SIGTERM, newer versions wait for their clients.
      await program.stop('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

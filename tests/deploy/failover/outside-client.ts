import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import type { Connection } from '../../../server/database/connection.ts'

/** A database client outside the three machines, with its own HAProxy to reach the leader. */
export class OutsideClient {
  readonly connection: Connection
  readonly #proxy: ChildProcess

  private constructor(connection: Connection, proxy: ChildProcess) {
    this.connection = connection
    this.#proxy = proxy
  }

  static async open(folder: string): Promise<OutsideClient> {
    const etc = join(folder, 'machine-one/upper/etc/taps')
    const file = join(folder, 'haproxy-outside.cfg')
    await writeFile(
      file,
      (await readFile(join(etc, 'haproxy-database.cfg'), 'utf8')).replaceAll('/etc/taps', etc),
    )
    const environment = parseEnv(await readFile(join(etc, 'machine.env'), 'utf8'))
    const proxy = spawn('haproxy', ['-W', '-f', file], {
      env: { ...process.env, ...environment },
      stdio: 'ignore',
    })
    const { DATABASE_URL } = environment
    const connectionString = DATABASE_URL?.replaceAll('/etc/taps', etc) ?? ''
    return new OutsideClient({ connectionString }, proxy)
  }

  async close(): Promise<void> {
    this.#proxy.kill('SIGTERM')
    await once(this.#proxy, 'exit')
  }
}

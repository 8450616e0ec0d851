import { ServerNode, type Settings } from '../faults/node.ts'
import { checkLedger } from '../server/game/ledger.ts'
import { toUrl } from '../server/testing/command.ts'
import { withClient } from '../server/testing/connect.ts'
import { copyTemplate, type TestServer } from '../server/testing/postgres.ts'

export type { Settings }

/** The built server, in a process and on a database of its own. */
export interface GameServer {
  readonly url: string
  /**
   * Checks the law of the ledger over all that was played.
   *
   * @throws Error with both sides of the ledger, when they differ
   */
  audit(): Promise<void>
  /** Ends the process; its port and its data stay for `restart`. */
  halt(): Promise<void>
  /** Starts the process anew on the same port and data, with these settings over those before. */
  restart(settings?: Settings): Promise<void>
  /** Ends the process and deletes its data. */
  stop(): Promise<void>
}

/** Starts a server on a free port and a database in which nothing has happened. */
export async function startServer(more: Settings = {}): Promise<GameServer> {
  const { connection, drop } = await copyTemplate(testServer())
  const settings = {
    DATABASE_URL: toUrl(connection),
    SECRET: 'a secret that only these tests know, 32 or more',
    ...more,
  }
  try {
    let node = await ServerNode.start(settings)
    const { url } = node
    const halt = () => node.end('SIGTERM')
    return {
      url,
      async audit() {
        const { sound, lines } = await withClient(connection, checkLedger)
        if (!sound) throw new Error(lines.join('\n'))
      },
      halt,
      async restart(changed = {}) {
        await halt()
        node = await ServerNode.start({ ...settings, ...changed, PORT: new URL(url).port })
      },
      stop: () => halt().finally(drop),
    }
  } catch (error) {
    await drop()
    throw error
  }
}

function testServer(): TestServer {
  const { E2E_POSTGRES } = process.env
  if (!E2E_POSTGRES) throw new Error('global-setup.ts has opened no PostgreSQL')
  return JSON.parse(E2E_POSTGRES)
}

/** The server of the tests of one file, which run one after another: another file gets another one. */
export class FileServer {
  #key = ''
  #server: GameServer | undefined

  async open(file: string, settings: Settings): Promise<GameServer> {
    const key = JSON.stringify([file, settings])
    if (this.#server && this.#key === key) return this.#server
    await this.close()
    this.#server = await startServer(settings)
    this.#key = key
    return this.#server
  }

  async close(): Promise<void> {
    await this.#server?.stop()
    this.#server = undefined
  }
}

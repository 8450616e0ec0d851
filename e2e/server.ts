import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ServerNode, type Settings } from '../faults/node.ts'

export type { Settings }

const COMMANDS = fileURLToPath(new URL('../dist/server/commands.js', import.meta.url))

/** The built server, in a process and on a database of its own. */
export interface GameServer {
  readonly url: string
  /** Ends the process; its port and its data stay for `restart`. */
  halt(): Promise<void>
  /** Starts the process anew on the same port and data, with these settings over those before. */
  restart(settings?: Settings): Promise<void>
  /**
   * Checks the law of the ledger over all that was played, ends the process and deletes its data.
   *
   * @throws Error with both sides of the ledger, when they differ
   */
  stop(): Promise<void>
}

/**
 * Starts a server on a free port. Without a `DATA_DIR` or `DATABASE_URL` among its settings it gets a data folder
 * that is deleted after it.
 */
export async function startServer(settings: Settings = {}): Promise<GameServer> {
  const folder = await mkdtemp(join(tmpdir(), 'taps-e2e-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    let node = await ServerNode.start({ DATA_DIR: folder, ...settings })
    const { url } = node
    const halt = () => node.end('SIGTERM')
    const audit = () =>
      promisify(execFile)(process.execPath, [COMMANDS, 'ledger'], {
        env: { ...process.env, DATA_DIR: folder, ...settings },
      })
    return {
      url,
      halt,
      async restart(more = {}) {
        await halt()
        node = await ServerNode.start({ DATA_DIR: folder, ...settings, ...more, PORT: new URL(url).port })
      },
      async stop() {
        try {
          await audit()
        } finally {
          await halt()
          await remove()
        }
      },
    }
  } catch (error) {
    await remove()
    throw error
  }
}

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ServerNode, type Settings } from '../faults/node.ts'

export type { Settings }

/** The built server, in a process and on a database of its own. */
export interface GameServer {
  readonly url: string
  /** Ends the process; its port and its data stay for `restart`. */
  halt(): Promise<void>
  /** Starts the process anew on the same port and data, with these settings over those before. */
  restart(settings?: Settings): Promise<void>
  /** Ends the process and deletes its data. */
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
    return {
      url,
      halt,
      async restart(more = {}) {
        await halt()
        node = await ServerNode.start({ DATA_DIR: folder, ...settings, ...more, PORT: new URL(url).port })
      },
      stop: () => halt().then(remove),
    }
  } catch (error) {
    await remove()
    throw error
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { checkLedger } from '../../server/commands/ledger.ts'
import { withClient } from '../support/connect.ts'
import { ServerNode, type Settings } from '../support/node.ts'
import { copyTemplate, type TestServer } from '../support/postgres.ts'
import { settingsFor } from '../support/shared-postgres.ts'
import { Viewer } from '../support/viewer.ts'

export type { Settings }

/** The built server, with its own process and database. */
export type GameServer = Awaited<ReturnType<typeof startServer>>

/** Starts a server on a free port with a new game. */
export async function startServer(more: Settings = {}) {
  const { connection, drop } = await copyTemplate(testServer())
  const settings = { ...settingsFor(connection), ...more }
  try {
    let node = await ServerNode.start(settings)
    const { url } = node
    /** Ends the process. `restart` starts a new process with the same port and data. */
    const halt = () => node.end('SIGTERM')
    return {
      url,
      connection,
      /**
       * Checks the ledger invariant.
       *
       * @throws Error with both sides of the ledger when they differ
       */
      async audit() {
        const { ok, lines } = await withClient(connection, checkLedger)
        if (!ok) throw new Error(lines.join('\n'))
      },
      /** Resets the database to a new game, and waits until viewers see the reset. */
      async clear() {
        await withClient(connection, client => client.query(CLEAR))
        await waitUntilEmpty(url)
      },
      halt,
      async restart() {
        node = await ServerNode.start({ ...settings, PORT: new URL(url).port })
      },
      /** Ends the process and deletes its data. */
      stop: () => halt().finally(drop),
    }
  } catch (error) {
    await drop()
    throw error
  }
}

/** Locks the pool row first, like the server. A truncate would also lock the tables, in another order than reads do. */
const CLEAR = `
  select from prize_pool where singleton for update;
  delete from sessions; delete from users; delete from prizes; delete from attempts; delete from holds; delete from hands;
  update prize_pool set taps = 0, boards = boards + 1`

async function waitUntilEmpty(url: string): Promise<void> {
  const viewer = await Viewer.open(url)
  const isEmpty = () =>
    viewer.latest('prize_pool')?.taps === 0 &&
    viewer.latest('leaderboard')?.leaderboard.length === 0 &&
    viewer.latest('attempts')?.attempts.length === 0 &&
    viewer.latest('today')?.today.length === 0
  while (!isEmpty()) await sleep(10)
  await viewer.close()
}

function testServer(): TestServer {
  const { E2E_POSTGRES } = process.env
  if (!E2E_POSTGRES) throw new Error('E2E_POSTGRES is not set; global-setup.ts sets it')
  return JSON.parse(E2E_POSTGRES)
}

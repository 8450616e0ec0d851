import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { withClient } from '../../tests/support/connect.ts'
import { loadHistory } from '../../tests/support/history.ts'
import { endNodes } from '../../tests/support/node.ts'
import { connectionOf, newDataDir } from '../../tests/support/shared-postgres.ts'
import { alternate, type Subject } from '../alternate.ts'
import { Helper } from '../helper.ts'
import type { EventFigures, ViewersJob } from '../live/viewers.ts'
import { cpuSeconds, memoryMb } from '../process.ts'
import type { Part } from '../section.ts'
import { startGame } from '../stage.ts'
import { timeNpmStart } from './npm-start.ts'

const HISTORY = { attempts: 100_000, accounts: 10_000 }
const VIEWERS = 1_000
/** The time that the server needs to become idle after the viewers have connected. */
const SETTLE_S = 3
const IDLE_S = 10

export const part: Part = {
  async run() {
    const dataDir = await newDataDir()
    try {
      await makeHistory(dataDir)
      const [first, again] = await alternate([firstBoot, startAgain(dataDir)])
      const [rest] = await alternate([await atRest(dataDir)])
      return {
        title: 'Startup and idle cost',
        figures: [
          {
            name: '`npm start` to the first page, new database, ms',
            ours: first?.ms ?? [],
            goal: { atMost: 3_000 },
          },
          { name: '… with 100,000 attempts, ms', ours: again?.ms ?? [], goal: { atMost: 1_000 } },
          {
            name: "1,000 viewers without players: server's processor time, % of a core",
            ours: rest?.server ?? [],
          },
          { name: "… server's memory, MB", ours: rest?.memory ?? [] },
        ],
      }
    } finally {
      await endNodes()
      await rm(dataDir, { recursive: true, force: true })
    }
  },
}

async function makeHistory(dataDir: string): Promise<void> {
  const node = await startGame({ DATA_DIR: dataDir })
  await withClient(await connectionOf(dataDir), client => loadHistory(client, HISTORY))
  await node.end('SIGTERM')
}

const firstBoot: Subject<'ms'> = {
  name: 'new database',
  async measure() {
    const dataDir = await newDataDir()
    try {
      return { ms: await timeNpmStart(dataDir) }
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
  },
}

function startAgain(dataDir: string): Subject<'ms'> {
  return { name: 'with 100,000 attempts', measure: async () => ({ ms: await timeNpmStart(dataDir) }) }
}

async function atRest(dataDir: string): Promise<Subject<'server' | 'memory'>> {
  const { pid, url } = await startGame({ DATA_DIR: dataDir })
  const viewers = new Helper<ViewersJob, EventFigures>(new URL('../live/viewers.ts', import.meta.url))
  await viewers.do({ url, viewers: VIEWERS, seconds: SETTLE_S })
  return {
    name: 'idle',
    async measure() {
      const before = await cpuSeconds(pid)
      await sleep(IDLE_S * 1_000)
      const server = (((await cpuSeconds(pid)) - before) / IDLE_S) * 100
      return { server, memory: await memoryMb(pid) }
    },
  }
}

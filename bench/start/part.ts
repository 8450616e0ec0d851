import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { withClient } from '../../tests/support/connect.ts'
import { loadHistory } from '../../tests/support/history.ts'
import { endNodes } from '../../tests/support/node.ts'
import { memoryOf } from '../../tests/support/process.ts'
import { connectionOf, newDataDir, postmasterOf } from '../../tests/support/shared-postgres.ts'
import { alternate, type Subject } from '../alternate.ts'
import { cpuSeconds, familyOf } from '../cpu.ts'
import { Audience } from '../live/audience.ts'
import { startGame } from '../rounds/stage.ts'
import type { Part } from '../section.ts'
import { timeNpmStart } from './npm-start.ts'

const HISTORY = { attempts: 100_000, accounts: 10_000 }
const VIEWERS = 1_000
/** Until the server has settled down after so many connections. */
const SETTLE_MS = 3_000
const IDLE_S = 10

export const part: Part = {
  async run() {
    const dataDir = await newDataDir()
    const audience = new Audience()
    try {
      await makeHistory(dataDir)
      const [first, again] = await alternate([firstBoot, startAgain(dataDir)])
      const [rest] = await alternate([await atRest(dataDir, audience)])
      return {
        title: 'Start and rest',
        figures: [
          { name: '`npm start` to the first page, first boot, ms', ours: first?.ms ?? [], wanted: '≤ 3,000' },
          { name: '… with 100,000 attempts in place, ms', ours: again?.ms ?? [], wanted: '≤ 1,000' },
          { name: '1,000 quiet viewers: processor of the server, % of a core', ours: rest?.server ?? [] },
          { name: '… of PostgreSQL, % of a core', ours: rest?.postgres ?? [] },
          { name: '… memory of the server, MB', ours: rest?.memory ?? [] },
        ],
      }
    } finally {
      await audience.close()
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
  name: 'first boot',
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
  return { name: 'with data in place', measure: async () => ({ ms: await timeNpmStart(dataDir) }) }
}

async function atRest(
  dataDir: string,
  audience: Audience,
): Promise<Subject<'server' | 'postgres' | 'memory'>> {
  const { pid, url } = await startGame({ DATA_DIR: dataDir })
  const postgres = await familyOf(await postmasterOf(dataDir))
  await audience.open(url, VIEWERS)
  await sleep(SETTLE_MS)
  return {
    name: 'at rest',
    async measure() {
      const before = [await cpuSeconds([pid]), await cpuSeconds(postgres)] as const
      await sleep(IDLE_S * 1_000)
      return {
        server: (((await cpuSeconds([pid])) - before[0]) / IDLE_S) * 100,
        postgres: (((await cpuSeconds(postgres)) - before[1]) / IDLE_S) * 100,
        memory: (await memoryOf(pid)).nowMb,
      }
    },
  }
}

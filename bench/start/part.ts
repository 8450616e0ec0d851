import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { endNodes } from '../../tests/support/node.ts'
import { newDataDir } from '../../tests/support/shared-postgres.ts'
import { alternate } from '../alternate.ts'
import { endHelpers, Helper } from '../helper.ts'
import type { EventFigures, ViewersJob } from '../live/viewers.ts'
import { cpuSeconds, memoryMb } from '../process.ts'
import type { Part } from '../section.ts'
import { startGame } from '../stage.ts'
import { timeNpmStart } from './npm-start.ts'

const VIEWERS = 1_000
/** The time that the server needs to become idle after the viewers have connected. */
const SETTLE_S = 3
const IDLE_S = 10

export const part: Part = {
  async run() {
    const { start, idle } = await alternate({ start: measureStart, idle: measureIdle })
    return {
      title: 'Startup and idle cost',
      figures: [
        {
          name: '`npm start` to the first page, new database, ms',
          ours: start.ms,
          goal: { atMost: 3_000 },
        },
        {
          name: "1,000 viewers without players: server's processor time, % of a core",
          ours: idle.server,
        },
        { name: "… server's memory, MB", ours: idle.memory },
      ],
    }
  },
}

async function measureStart() {
  const dataDir = await newDataDir()
  const ms = await timeNpmStart(dataDir).finally(() => rm(dataDir, { recursive: true, force: true }))
  return { ms }
}

async function measureIdle() {
  const dataDir = await newDataDir()
  try {
    const { pid, url } = await startGame({ DATA_DIR: dataDir })
    const viewers = new Helper<ViewersJob, EventFigures>(new URL('../live/viewers.ts', import.meta.url))
    await viewers.do({ url, viewers: VIEWERS, seconds: SETTLE_S })
    const before = await cpuSeconds(pid)
    await sleep(IDLE_S * 1_000)
    const server = (((await cpuSeconds(pid)) - before) / IDLE_S) * 100
    return { server, memory: await memoryMb(pid) }
  } finally {
    endHelpers()
    await endNodes()
    await rm(dataDir, { recursive: true, force: true })
  }
}

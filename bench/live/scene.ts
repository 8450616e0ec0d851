import { endNodes } from '../../tests/support/node.ts'
import { memoryOf } from '../../tests/support/process.ts'
import type { SharedPostgres } from '../../tests/support/shared-postgres.ts'
import { cpuSeconds } from '../cpu.ts'
import { endHelpers, Helper } from '../helper.ts'
import type { LoadJob, LoadRun } from '../load/crowd.ts'
import { requireAll, startGame } from '../stage.ts'
import type { Heard, ViewersJob } from './viewers.ts'

const PLAYERS = 256
/**
 * How long the server plays at its peak, with half of the viewers, before memory is read: by then it holds what a busy
 * server needs whoever watches, above all garbage that is not collected yet.
 */
const WARM_UP_S = 2

/** How live updates reached the viewers in one run. */
export interface Shown {
  /** From the stamp of the newest attempt to its arrival at a viewer, ms. */
  readonly p95: number
  readonly p99: number
  /** The longest time that any viewer was without an event, ms. */
  readonly gap: number
  /** Events a second and viewer. */
  readonly events: number
  /** Processor time of the server for each event and viewer, µs. */
  readonly cpu: number
  /** Memory of the server for each viewer of the second half, kB. */
  readonly memory: number
}

interface SceneOptions {
  readonly viewers: number
  /** Rounds played a second. */
  readonly rate: number
  readonly seconds: number
}

/** Lets viewers watch a crowd play, on a server that was just started. */
export async function show(
  postgres: SharedPostgres,
  { viewers, rate, seconds }: SceneOptions,
): Promise<Shown> {
  const { url, pid } = await startGame(postgres.settings())
  const load = new Helper<LoadJob, LoadRun>(new URL('../load/crowd.ts', import.meta.url))
  const audience = new Helper<ViewersJob, Heard>(new URL('viewers.ts', import.meta.url))
  try {
    await audience.do({ url, viewers: viewers / 2, seconds: 0 })
    await load.do({ url, players: PLAYERS, rate: 'peak', seconds: WARM_UP_S })
    const { nowMb: before } = await memoryOf(pid)
    await audience.do({ url, viewers, seconds: 0 })
    const spentBefore = await cpuSeconds(pid)
    const [{ acknowledged }, { p95, p99, events, longestGap }] = await Promise.all([
      load.do({ url, players: PLAYERS, rate, seconds }),
      audience.do({ url, viewers, seconds }),
    ])
    const spent = (await cpuSeconds(pid)) - spentBefore
    const { nowMb: after } = await memoryOf(pid)
    await requireAll(postgres.connection, acknowledged)
    return {
      p95,
      p99,
      gap: longestGap,
      events: events / viewers / seconds,
      cpu: (spent / events) * 1e6,
      memory: ((after - before) * 1_024) / (viewers / 2),
    }
  } finally {
    endHelpers()
    await endNodes()
  }
}

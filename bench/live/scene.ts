import { endNodes } from '../../tests/support/node.ts'
import type { SharedPostgres } from '../../tests/support/shared-postgres.ts'
import { endHelpers, Helper } from '../helper.ts'
import type { LoadJob, LoadRun } from '../load/crowd.ts'
import { cpuSeconds, memoryMb } from '../process.ts'
import { requireAll, startGame } from '../stage.ts'
import type { Heard, ViewersJob } from './viewers.ts'

const PLAYERS = 256
/** How long the server plays at its peak before memory is read: garbage accumulates, whoever watches. */
const WARM_UP_S = 2

export interface Shown {
  /** From the newest attempt's stamp to its arrival, ms. */
  readonly p95: number
  readonly p99: number
  /** The longest time that a viewer was without an event, ms. */
  readonly gap: number
  /** Per second and viewer. */
  readonly events: number
  /** Processor time of the server per event and viewer, µs. */
  readonly cpu: number
  /** Memory of the server per viewer of the second half, kB. */
  readonly memory: number
}

interface SceneOptions {
  readonly viewers: number
  /** Rounds a second. */
  readonly rate: number
  readonly seconds: number
}

/** Lets viewers watch a crowd on a new server. */
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
    const before = await memoryMb(pid)
    await audience.do({ url, viewers, seconds: 0 })
    const spentBefore = await cpuSeconds(pid)
    const [{ acknowledged }, { p95, p99, events, longestGap }] = await Promise.all([
      load.do({ url, players: PLAYERS, rate, seconds }),
      audience.do({ url, viewers, seconds }),
    ])
    const spent = (await cpuSeconds(pid)) - spentBefore
    const after = await memoryMb(pid)
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

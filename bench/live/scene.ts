import { endNodes } from '../../tests/support/node.ts'
import type { SharedPostgres } from '../../tests/support/shared-postgres.ts'
import { endHelpers, Helper } from '../helper.ts'
import type { LoadJob, LoadRun } from '../load/crowd.ts'
import { cpuSeconds, memoryMb } from '../process.ts'
import { requireNothingLost, startGame } from '../stage.ts'
import type { EventFigures, ViewersJob } from './viewers.ts'

const PLAYERS = 256
/** The duration of peak load before the first memory reading, so that all readings include garbage. */
const WARM_UP_S = 2

export type LiveResult = {
  /** Percentiles, in ms, of the time from an attempt's `created_at` to the arrival of the attempt's event. */
  readonly p95: number
  readonly p99: number
  /** The longest time for which a viewer received no event, in ms. */
  readonly gap: number
  /** Events per second per viewer. */
  readonly events: number
  /** The server's processor time for rounds and events, in µs per event of a viewer. */
  readonly cpu: number
  /** The server's memory per viewer, in kB, measured while the second half of the viewers connects. */
  readonly memory: number
}

interface SceneOptions {
  readonly viewers: number
  /** Rounds per second, of all players together. */
  readonly rate: number
  readonly seconds: number
}

/** Measures a new server while viewers watch a crowd play. */
export async function measureLive(
  postgres: SharedPostgres,
  { viewers, rate, seconds }: SceneOptions,
): Promise<LiveResult> {
  const { url, pid } = await startGame(postgres.settings())
  const load = new Helper<LoadJob, LoadRun>(new URL('../load/crowd.ts', import.meta.url))
  const audience = new Helper<ViewersJob, EventFigures>(new URL('viewers.ts', import.meta.url))
  try {
    await audience.do({ url, viewers: viewers / 2, seconds: 0 })
    await load.do({ url, players: PLAYERS, rate: 'peak', seconds: WARM_UP_S })
    const before = await memoryMb(pid)
    await audience.do({ url, viewers, seconds: 0 })
    const idleCpu = await cpuSeconds(pid)
    const [{ acknowledged }, { p95, p99, events, longestGap }] = await Promise.all([
      load.do({ url, players: PLAYERS, rate, seconds }),
      audience.do({ url, viewers, seconds }),
    ])
    const cpu = (await cpuSeconds(pid)) - idleCpu
    const after = await memoryMb(pid)
    await requireNothingLost(postgres.connection, acknowledged)
    return {
      p95,
      p99,
      gap: longestGap,
      events: events / viewers / seconds,
      cpu: (cpu / events) * 1e6,
      memory: ((after - before) * 1_024) / (viewers / 2),
    }
  } finally {
    endHelpers()
    await endNodes()
  }
}

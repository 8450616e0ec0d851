import { memoryOf } from '../../tests/support/process.ts'
import { cpuSeconds } from '../cpu.ts'
import { Load } from '../load/load.ts'
import { requireAll } from '../rounds/audit.ts'
import { type RoundsStage, startGame } from '../rounds/stage.ts'
import { Audience } from './audience.ts'

/** Players share connections, each of which plays one round at a time. */
const CROWD = { players: 512, connections: 256 }
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

export interface SceneOptions {
  readonly viewers: number
  /** Rounds played a second. */
  readonly rate: number
  readonly seconds: number
}

/** Lets viewers watch a crowd play, on a server that was just started. */
export async function show(stage: RoundsStage, options: SceneOptions): Promise<Shown> {
  const game = await startGame(stage.postgres.settings())
  const load = await Load.gather({ url: game.url, ...CROWD })
  const audience = new Audience()
  try {
    const half = options.viewers / 2
    await audience.open(game.url, half)
    await load.peak(WARM_UP_S)
    const { nowMb: before } = await memoryOf(game.pid)
    await audience.open(game.url, options.viewers)
    const spentBefore = await cpuSeconds([game.pid])
    const [run, heard] = await Promise.all([
      load.steady(options.rate, options.seconds),
      audience.watch(options.seconds),
    ])
    const spent = (await cpuSeconds([game.pid])) - spentBefore
    const { nowMb: after } = await memoryOf(game.pid)
    await requireAll(stage.postgres.connection, run.acknowledged)
    return {
      p95: heard.p95,
      p99: heard.p99,
      gap: heard.longestGap,
      events: heard.events / options.viewers / options.seconds,
      cpu: (spent / heard.events) * 1e6,
      memory: ((after - before) * 1_024) / half,
    }
  } finally {
    await audience.close()
    await load.close()
    await game.end('SIGTERM')
  }
}

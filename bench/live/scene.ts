import { memoryOf } from '../../tests/support/process.ts'
import { cpuSeconds } from '../cpu.ts'
import { Load } from '../load/load.ts'
import { requireAll } from '../rounds/audit.ts'
import type { RoundsStage } from '../rounds/stage.ts'
import { Audience } from './audience.ts'

/** Players share connections, and each connection plays one round at a time. */
const PLAYERS = 512
const CONNECTIONS = 256
/**
 * As many rounds as there can be, with half of the viewers there, before memory is looked at: what a busy server needs
 * whoever watches, garbage that waits to be collected above all, is there then.
 */
const WARM_UP_S = 2

/** What many viewers were told, measured once. */
export interface Shown {
  /** From the stamp of the newest attempt in an event to its arrival at a viewer, ms. */
  readonly p95: number
  readonly p99: number
  /** The longest that any viewer was without an event, ms. */
  readonly gap: number
  /** That each viewer got in a second. */
  readonly events: number
  /** Of the server, for each event and viewer, µs. */
  readonly cpu: number
  /** Of the server, more than with half of the viewers, kB for each of the other half. */
  readonly memory: number
}

export interface SceneOptions {
  readonly viewers: number
  /** Rounds a second that are played meanwhile. */
  readonly rate: number
  readonly seconds: number
}

/** Shows a crowd's play to viewers, each time by a server that was just started. */
export async function show(stage: RoundsStage, options: SceneOptions): Promise<Shown> {
  const game = await stage.startGame(stage.postgres.settings())
  const load = await Load.gather({
    url: game.url,
    players: PLAYERS,
    connections: CONNECTIONS,
  })
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

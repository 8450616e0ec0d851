import { alternate } from '../alternate.ts'
import { type Figure, type Goal, type Part, ratios, type Series } from '../section.ts'
import { withPostgres } from '../stage.ts'
import { type LiveResult, measureLive } from './scene.ts'

/** The lowest rate of rounds that causes ten events per second. */
const FAN_OUT = { viewers: 5_000, rate: 30, seconds: 6 }
const CROWD = { viewers: 5_000, rate: 1_000, seconds: 6 }
const GREAT_CROWD = { ...CROWD, viewers: 10_000 }
/** A rate of rounds so low that every round causes its own event. */
const QUIET = { viewers: 1_000, rate: 4, seconds: 6 }

type Runs = Readonly<Record<keyof LiveResult, Series>>

export const part: Part = {
  run: () =>
    withPostgres(async postgres => {
      const { fanOut, crowd, great, quiet } = await alternate({
        fanOut: () => measureLive(postgres, FAN_OUT),
        crowd: () => measureLive(postgres, CROWD),
        great: () => measureLive(postgres, GREAT_CROWD),
        quiet: () => measureLive(postgres, QUIET),
      })
      return {
        title: 'Live updates',
        figures: [
          figure('5,000 viewers, 30 rounds per second: p99 of the delay, ms', 'p99', fanOut),
          figure("… server's processor time, µs per event of a viewer", 'cpu', fanOut),
          figure('5,000 viewers, 1,000 rounds per second: events per second per viewer', 'events', crowd),
          { name: '… p99, as a multiple of that at 30 rounds', ours: ratios(crowd.p99, fanOut.p99) },
          figure('10,000 viewers, 1,000 rounds per second: events per second per viewer', 'events', great),
          { name: '… p99, as a multiple of that of 5,000 viewers', ours: ratios(great.p99, crowd.p99) },
          figure('… longest time without an event, ms', 'gap', great, { atMost: 1_000 }),
          figure("… server's memory, kB per viewer", 'memory', great),
          figure('1,000 viewers, 4 rounds per second: p95, ms', 'p95', quiet),
        ],
      }
    }),
}

function figure(name: string, key: keyof LiveResult, runs: Runs, goal?: Goal): Figure {
  return { name, ours: runs[key], goal }
}

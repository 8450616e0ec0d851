import { alternate } from '../alternate.ts'
import { Helper } from '../helper.ts'
import type { EventFigures, ViewersJob } from '../live/viewers.ts'
import type { LoadJob, LoadRun } from '../load/crowd.ts'
import { cpuSeconds } from '../process.ts'
import { type Part, ratios } from '../section.ts'
import { requireNothingLost, startGame, withPostgres } from '../stage.ts'

const SECONDS = 4
/** The length of an unmeasured first run, in which code is compiled and statements are prepared. */
const WARM_UP_S = 3
/** The load at which calls are timed, as a share of the peak. At the peak, calls would queue. */
const SHARE_OF_PEAK = 0.7
const PLAYERS = 512
const VIEWERS = 100

export const part: Part = {
  run: () =>
    withPostgres(async postgres => {
      const { url, pid } = await startGame(postgres.settings())
      const load = new Helper<LoadJob, LoadRun>(new URL('../load/crowd.ts', import.meta.url))
      const viewers = new Helper<ViewersJob, EventFigures>(new URL('../live/viewers.ts', import.meta.url))
      const run = async (rate: LoadJob['rate'], seconds = SECONDS) => {
        const before = await cpuSeconds(pid)
        const { acknowledged, ...took } = await load.do({ url, players: PLAYERS, rate, seconds })
        const cpu = (await cpuSeconds(pid)) - before
        await requireNothingLost(postgres.connection, acknowledged)
        const rounds = acknowledged.length
        return { rounds: rounds / took.seconds, cpu: (cpu / rounds) * 1e6, p50: took.p50, p99: took.p99 }
      }
      const watch = (count: number) => viewers.do({ url, viewers: count, seconds: 0 })
      await run('peak', WARM_UP_S)
      let peak = 0
      const { alone, steady, watched } = await alternate({
        alone: async () => {
          const figures = await run('peak')
          peak = figures.rounds
          return figures
        },
        steady: () => run(SHARE_OF_PEAK * peak),
        watched: async () => {
          await watch(VIEWERS)
          const figures = await run('peak')
          await watch(0)
          return figures
        },
      })
      return {
        title: 'Durable rounds',
        figures: [
          { name: 'rounds per second', ours: alone.rounds },
          { name: `… with ${VIEWERS} viewers, as a share`, ours: ratios(watched.rounds, alone.rounds) },
          { name: "server's processor time, µs per round", ours: alone.cpu },
          { name: 'p50 of a call at 70 % of peak, ms', ours: steady.p50 },
          { name: 'p99 of a call at 70 % of peak, ms', ours: steady.p99, goal: { atMost: 50 } },
        ],
      }
    }),
}

import { alternate, type Subject } from '../alternate.ts'
import { cpuSeconds } from '../cpu.ts'
import { Audience } from '../live/audience.ts'
import { Load, type LoadRun } from '../load/load.ts'
import type { Part, Section } from '../section.ts'
import { median } from '../series.ts'
import { requireAll } from './audit.ts'
import { RoundsStage, startGame } from './stage.ts'

const SECONDS = 4
/** Until the code is compiled and the statements are prepared. */
const WARM_UP_S = 3
/** Tail latencies are measured below the peak, where a queue is a fault rather than the load. */
const SHARE_OF_PEAK = 0.7
const CROWD = { players: 1_024, connections: 512 }
const VIEWERS = 100

export const part: Part = {
  async run() {
    const stage = await RoundsStage.open()
    try {
      return await measure(stage)
    } finally {
      await stage.close()
    }
  },
}

async function measure(stage: RoundsStage): Promise<Section> {
  const { connection, settings } = await stage.makeDatabase('rounds')
  const { url, pid } = await startGame(settings)
  const load = await Load.gather({ url, ...CROWD })
  stage.onClose(() => load.close())
  const checked = async (run: LoadRun) => {
    await requireAll(connection, run.acknowledged)
    return run
  }
  const peak = async () => {
    const before = await cpuSeconds([pid])
    const run = await load.peak(SECONDS)
    const cpu = (await cpuSeconds([pid])) - before
    await checked(run)
    return { rounds: run.rounds / run.seconds, cpu: (cpu / run.rounds) * 1e6 }
  }
  await checked(await load.peak(WARM_UP_S))
  const [alone] = await alternate([{ name: 'as many as there can be', measure: peak }])
  const rate = SHARE_OF_PEAK * median(alone?.rounds ?? [])
  const steady: Subject<'p50' | 'p99'> = {
    name: `${Math.round(rate)} rounds a second`,
    async measure() {
      const { calls } = await checked(await load.steady(rate, SECONDS))
      return { p50: calls.p50, p99: calls.p99 }
    },
  }
  const [tails] = await alternate([steady])
  await watch(stage, url)
  const [watched] = await alternate([{ name: `with ${VIEWERS} viewers`, measure: peak }])
  return {
    title: 'Durable rounds',
    figures: [
      { name: 'rounds a second', ours: alone?.rounds ?? [], wanted: '≥ 10,000' },
      { name: `rounds a second, ${VIEWERS} viewers watching`, ours: watched?.rounds ?? [] },
      { name: "of the server's processor, µs a round", ours: alone?.cpu ?? [] },
      { name: 'p50 of a call at 70 % of peak, ms', ours: tails?.p50 ?? [] },
      { name: 'p99 of a call at 70 % of peak, ms', ours: tails?.p99 ?? [], wanted: '≤ 50' },
    ],
  }
}

/** Opens streams that stay open. */
async function watch(stage: RoundsStage, url: string): Promise<void> {
  const audience = new Audience()
  stage.onClose(() => audience.close())
  await audience.open(url, VIEWERS)
}

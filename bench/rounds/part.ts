import { alternate, type Subject } from '../alternate.ts'
import { cpuSeconds } from '../cpu.ts'
import { Audience } from '../live/audience.ts'
import type { Other, Part, Section } from '../section.ts'
import { median, type Series } from '../series.ts'
import { bare, type Contestant, oneByOne, ours } from './contestants.ts'
import { NOTES } from './notes.ts'
import { RoundsStage } from './stage.ts'

const SECONDS = 4
/** Until the code is compiled and the database knows its statements. */
const WARM_UP_S = 3
/** Tails are looked at below the peak, where a queue is a fault and not the load. */
const SHARE_OF_PEAK = 0.7
const VIEWERS = 100

type Peak = Readonly<Record<'rounds' | 'cpu', Series>>

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
  const taps = await ours(stage)
  const limit = await bare(stage, taps.node.url)
  const slow = await oneByOne(stage)
  const all = [taps, limit, slow]
  for (const { load, check } of all) await check(await load.peak(WARM_UP_S))

  const peaks = await peaksOf(all)
  const tails = await tailsOf(taps, peaks.get(taps)?.rounds ?? [])
  await watch(stage, taps)
  const watchedPeaks = await peaksOf([taps])

  const other = (peaks: Map<Contestant, Peak>, key: keyof Peak, one: Contestant): Other => ({
    name: one.name,
    values: peaks.get(one)?.[key] ?? [],
  })
  return {
    title: 'Durable rounds',
    figures: [
      {
        name: 'rounds a second',
        ours: peaks.get(taps)?.rounds ?? [],
        wanted: '≥ 10,000; 0.6 of the limit; 5 × one by one',
        limit: other(peaks, 'rounds', limit),
        peers: [other(peaks, 'rounds', slow)],
      },
      {
        name: `rounds a second, ${VIEWERS} viewers watching`,
        ours: watchedPeaks.get(taps)?.rounds ?? [],
      },
      {
        name: "of the server's processor, µs a round",
        ours: peaks.get(taps)?.cpu ?? [],
        limit: other(peaks, 'cpu', limit),
        peers: [other(peaks, 'cpu', slow)],
      },
      { name: 'p50 of a call at 70 % of peak, ms', ours: tails.p50 },
      { name: 'p99 of a call at 70 % of peak, ms', ours: tails.p99, wanted: '≤ 50' },
    ],
    notes: NOTES,
  }
}

/** Lets viewers come, who stay. */
async function watch(stage: RoundsStage, { node }: Contestant): Promise<void> {
  const audience = new Audience()
  stage.onClose(() => audience.close())
  await audience.open(node.url, VIEWERS)
}

async function peaksOf(contestants: readonly Contestant[]): Promise<Map<Contestant, Peak>> {
  const series = await alternate(contestants.map(peakOf))
  const peaks = new Map<Contestant, Peak>()
  for (const [place, contestant] of contestants.entries()) {
    const measured = series[place]
    if (measured) peaks.set(contestant, measured)
  }
  return peaks
}

function peakOf({ name, node, load, check }: Contestant): Subject<keyof Peak> {
  return {
    name,
    async measure() {
      const before = await cpuSeconds([node.pid])
      const run = await load.peak(SECONDS)
      const cpu = (await cpuSeconds([node.pid])) - before
      await check(run)
      return { rounds: run.rounds / run.seconds, cpu: (cpu / run.rounds) * 1e6 }
    },
  }
}

async function tailsOf({ name, load, check }: Contestant, peak: Series) {
  const rate = SHARE_OF_PEAK * median(peak)
  const [tails] = await alternate([
    {
      name: `${name} at ${Math.round(rate)} rounds a second`,
      async measure() {
        const run = await load.steady(rate, SECONDS)
        await check(run)
        return { p50: run.calls.p50, p99: run.calls.p99 }
      },
    },
  ])
  return tails ?? { p50: [], p99: [] }
}

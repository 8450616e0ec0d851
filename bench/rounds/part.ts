import { ServerNode } from '../../faults/node.ts'
import { alternate, type Subject } from '../alternate.ts'
import { cpuSeconds } from '../cpu.ts'
import type { Part } from '../section.ts'
import { median, type Series } from '../series.ts'
import { requireAll } from './audit.ts'
import { type Contestant, RoundsStage } from './stage.ts'

const SECONDS = 5
/** Tails are looked at below the peak, where a queue is a fault and not the load. */
const SHARE_OF_PEAK = 0.7

export const part: Part = {
  async run() {
    const stage = await RoundsStage.open()
    try {
      const ours = await ourServer(stage)
      const bare = await bareServer(stage, ours.node.url)
      const [peak, barePeak] = await alternate([subject('TAPS', ours), subject('node:http', bare)])
      const [tails] = await alternate([tailsOf('TAPS', ours, peak?.rounds ?? [])])
      return {
        title: 'Durable rounds',
        figures: [
          {
            name: 'rounds a second',
            ours: peak?.rounds ?? [],
            wanted: '≥ 10,000; 0.6 of the limit',
            limit: { name: 'bare `node:http`', values: barePeak?.rounds ?? [] },
          },
          { name: 'p50 of a call at 70 % of peak, ms', ours: tails?.p50 ?? [] },
          { name: 'p99 of a call at 70 % of peak, ms', ours: tails?.p99 ?? [], wanted: '≤ 50' },
        ],
        notes: [],
      }
    } finally {
      await stage.close()
    }
  },
}

async function ourServer(stage: RoundsStage): Promise<Contestant> {
  const { connection, settings } = await stage.makeDatabase('ours')
  const node = await ServerNode.start(settings)
  const load = await stage.gather({ seats: 'taps', url: node.url })
  return { node, load, check: ({ acknowledged }) => requireAll(connection, acknowledged) }
}

async function bareServer(stage: RoundsStage, origin: string): Promise<Contestant> {
  const node = await stage.start('bare.ts', { ORIGIN: origin })
  return {
    node,
    load: await stage.gather({ seats: 'taps', url: node.url }),
    check: async () => undefined,
  }
}

function subject(name: string, { node, load, check }: Contestant): Subject<'rounds' | 'cpu'> {
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

function tailsOf(name: string, { load, check }: Contestant, peak: Series): Subject<'p50' | 'p99'> {
  return {
    name,
    async measure() {
      const run = await load.steady(SHARE_OF_PEAK * median(peak), SECONDS)
      await check(run)
      return { p50: run.calls.p50, p99: run.calls.p99 }
    },
  }
}

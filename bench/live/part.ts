import { alternate, type Subject } from '../alternate.ts'
import { RoundsStage } from '../rounds/stage.ts'
import type { Figure, Other, Part } from '../section.ts'
import type { Series } from '../series.ts'
import { type SceneOptions, type Shown, show } from './scene.ts'
import { BARE, type Sender, TAPS } from './senders.ts'

/** Just enough rounds that every tenth of a second brings an event. */
const FAN_OUT = { viewers: 5_000, rate: 30, seconds: 6 }
const CROWD = { viewers: 5_000, rate: 1_000, seconds: 6 }
const GREAT_CROWD = { ...CROWD, viewers: 10_000 }
/** Nearly nothing happens, and every change is a change of its own. */
const QUIET = { viewers: 1_000, rate: 4, seconds: 6 }

const NOTES = [
  `**How.** Every figure of one run is of servers that were just started. Real rounds are played meanwhile, through the
whole contract (and every acknowledged attempt is looked for in the table afterwards); the viewers are sockets in a process
of their own that do nothing but look for the stamp in what they get. The time is from the stamp of the newest attempt in
an event, which PostgreSQL makes *before* the commit, to the arrival of the event: a little more than from the commit. An
attempt that comes right after an event waits for the next one besides, for up to 100 ms, because a viewer is written to at
most ten times a second.`,
  `**The limit** is \`node:net\` in a process of its own, which follows our stream as one viewer and writes each piece into
every socket: no HTTP, no slices, nothing recorded. What it takes above ours is the way through one more process.`,
]

type Scene = Omit<SceneOptions, 'sender'>
type Runs = Readonly<Record<keyof Shown, Series>>
/** What was measured of each sender. */
type Results = ReadonlyMap<Sender, Runs>

export const part: Part = {
  async run() {
    const stage = await RoundsStage.open()
    const measure = (scene: Scene, senders: readonly Sender[]) => resultsOf(stage, scene, senders)
    try {
      const fanOut = await measure(FAN_OUT, [TAPS, BARE])
      const crowd = await measure(CROWD, [TAPS, BARE])
      const great = await measure(GREAT_CROWD, [TAPS, BARE])
      const quiet = await measure(QUIET, [TAPS, BARE])
      return {
        title: 'Live updates',
        figures: [
          figure('5,000 viewers: p99 to a viewer, ms', 'p99', fanOut),
          figure('… processor of the sender for each event and viewer, µs', 'cpu', fanOut),
          figure('… memory of the sender, kB a viewer', 'memory', fanOut, '≤ 15'),
          figure('5,000 viewers, 1,000 rounds a second: p99, ms', 'p99', crowd, '≤ 100'),
          figure('… events a second and viewer', 'events', crowd, '10'),
          figure('… the longest without an event, ms', 'gap', crowd, '≤ 1,000'),
          figure('10,000 viewers, 1,000 rounds a second: p99, ms', 'p99', great, '≤ 200'),
          figure('… events a second and viewer', 'events', great, '10'),
          figure('… the longest without an event, ms', 'gap', great, '≤ 1,000'),
          figure('… memory of the sender, kB a viewer', 'memory', great, '≤ 15'),
          figure('1,000 viewers, 4 rounds a second: p95, ms', 'p95', quiet, '≤ 15'),
        ],
        notes: NOTES,
      }
    } finally {
      await stage.close()
    }
  },
}

async function resultsOf(stage: RoundsStage, scene: Scene, senders: readonly Sender[]): Promise<Results> {
  const subjects = senders.map(
    (sender): Subject<keyof Shown> => ({
      name: `${sender.name}, ${scene.viewers} viewers, ${scene.rate} rounds a second`,
      measure: async () => ({ ...(await show(stage, { ...scene, sender })) }),
    }),
  )
  const runs = await alternate(subjects)
  return new Map(runs.map((measured, place) => [senders[place] ?? TAPS, measured]))
}

function figure(name: string, key: keyof Shown, results: Results, wanted = ''): Figure {
  const valuesOf = (sender: Sender) => results.get(sender)?.[key] ?? []
  const other = (sender: Sender): Other => ({ name: sender.name, values: valuesOf(sender) })
  return {
    name,
    ours: valuesOf(TAPS),
    wanted,
    limit: other(BARE),
  }
}

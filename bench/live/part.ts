import { alternate, type Subject } from '../alternate.ts'
import { RoundsStage } from '../rounds/stage.ts'
import type { Figure, Part } from '../section.ts'
import type { Series } from '../series.ts'
import type { Manner } from './manners.ts'
import { prepare, type SceneOptions, type Shown, show } from './scene.ts'

const NAMES: Readonly<Record<Manner, string>> = { events: 'TAPS', 'socket.io': 'Socket.IO' }

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
  `**Socket.IO** follows our stream as one viewer, in a process of its own which does nothing else, and sends each event on
to its viewers over WebSocket: the same text at the same moments, but for the escaped quotes of its JSON. At 1,000 rounds a
second our process does the fan-out *and* records the attempts; at 30 it does little else than the fan-out.`,
]

export const part: Part = {
  async run() {
    await prepare()
    const stage = await RoundsStage.open()
    const measure = (manner: Manner, scene: Omit<SceneOptions, 'manner'>): Subject<keyof Shown> => ({
      name: `${NAMES[manner]}, ${scene.viewers} viewers, ${scene.rate} rounds a second`,
      measure: async () => ({ ...(await show(stage, { ...scene, manner })) }),
    })
    const both = async (scene: Omit<SceneOptions, 'manner'>): Promise<Runs[]> =>
      alternate([measure('events', scene), measure('socket.io', scene)])
    try {
      const [fanOut, fanOutPeer] = await both(FAN_OUT)
      const [crowd, crowdPeer] = await both(CROWD)
      const [great] = await alternate([measure('events', GREAT_CROWD)])
      const [quiet] = await alternate([measure('events', QUIET)])
      return {
        title: 'Live updates',
        figures: [
          figure('5,000 viewers: p99 to a viewer, ms', 'p99', fanOut, '', fanOutPeer),
          figure('… processor of the sender for each event and viewer, µs', 'cpu', fanOut, '', fanOutPeer),
          figure('… memory of the sender, kB a viewer', 'memory', fanOut, '≤ 15', fanOutPeer),
          figure('5,000 viewers, 1,000 rounds a second: p99, ms', 'p99', crowd, '≤ 100', crowdPeer),
          figure('… events a second and viewer', 'events', crowd, '10', crowdPeer),
          figure('… the longest without an event, ms', 'gap', crowd, '≤ 1,000', crowdPeer),
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

type Runs = Readonly<Record<keyof Shown, Series>> | undefined

function figure(name: string, key: keyof Shown, ours: Runs, wanted: string, peer?: Runs): Figure {
  const peers = peer && [{ name: NAMES['socket.io'], values: peer[key] }]
  return { name, ours: ours?.[key] ?? [], wanted, ...(peers && { peers }) }
}

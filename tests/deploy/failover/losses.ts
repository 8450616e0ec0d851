import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../support/random.ts'
import { DATABASES } from './losses/databases.ts'
import { type Loss, nothing, SHOWS_MS } from './losses/loss.ts'
import { MACHINES } from './losses/machines.ts'
import { NODES } from './losses/nodes.ts'
import { PARTS } from './losses/parts.ts'

const HOUR_MS = 3_600_000

/** Everything that can be lost, by the name that reports use. */
export const LOSSES = {
  /** What everybody waits anyway. */
  nothing: {
    async strike() {
      await sleep(SHOWS_MS)
      return nothing
    },
  },
  /** Whoever takes a machine that is busy for one that is gone shows. Only where it is asked for. */
  'nothing for an hour': {
    async strike(cluster) {
      const before = await cluster.awaitTimeline()
      await sleep(HOUR_MS)
      const after = await cluster.awaitTimeline()
      if (after !== before) throw new Error(`Leaders changed: timeline ${before} became ${after}`)
      return nothing
    },
  },
  ...NODES,
  ...PARTS,
  ...DATABASES,
  ...MACHINES,
} satisfies Readonly<Record<string, Loss>>

export type LossName = keyof typeof LOSSES

const EVERY = Object.keys(LOSSES) as LossName[]

/** One of each kind, in the four minutes that a short run may take. */
const SHORT: readonly LossName[] = [
  'TAPS node killed',
  'one etcd lost',
  'switchover',
  'PostgreSQL of the leader killed',
  'leader machine lost',
]

/** Those that the page promises a time for are measured so often. */
const TIMES = 5
/** Within how many seconds play is back, median. */
export const PROMISED_S: Readonly<Partial<Record<LossName, number>>> = {
  'leader machine lost': 22,
  'leader machine frozen': 22,
  'PostgreSQL of the leader killed': 8,
  switchover: 3,
  'TAPS node killed': 1,
}

/**
 * What is lost, in which order.
 *
 * @param only a few, by their names with commas between
 * @throws Error for a name that is none
 */
export function plan(random: Random, long: boolean, only?: string): readonly LossName[] {
  if (only) return only.split(',').map(toName)
  if (!long) return SHORT
  const listed = EVERY.filter(name => name !== 'nothing for an hour')
  const promised = EVERY.filter(name => name in PROMISED_S)
  return random.shuffle([...listed, ...promised.flatMap(name => Array<LossName>(TIMES - 1).fill(name))])
}

function toName(text: string): LossName {
  const name = EVERY.find(name => name === text)
  if (!name) throw new Error(`"${text}" is none of: ${EVERY.join(', ')}`)
  return name
}

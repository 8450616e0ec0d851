import { readFile } from 'node:fs/promises'
import { LOSSES, type Loss, type LossName } from './losses.ts'

/** What came of one loss. Times in ms. */
export interface Outcome {
  /** How long the one who waited longest could not play. */
  readonly play: number
  /** Somebody led anew; null where nobody had to. */
  readonly leads: number | null
  /** All three machines were as before. */
  readonly whole: number
  /** Acknowledged since the loss before. */
  readonly attempts: number
  /** Of these, no longer there. */
  readonly lost: number
  /** How often the ledger was read meanwhile. */
  readonly reads: number
  /** How often its two sides differed then. */
  readonly wrong: number
}

const HEAD = [
  'lost',
  'times',
  'play back after, s: median',
  'longest',
  'wanted',
  'led anew, s',
  'whole, s',
  'attempts acknowledged',
  'lost',
  'ledger reads',
  'wrong',
]

/** What came of all losses of a run. */
export class Tally {
  readonly #outcomes = new Map<LossName, Outcome[]>()

  get losses(): number {
    return [...this.#outcomes.values()].flat().length
  }

  /** Keeps it, and prints it in a line with how busy the machine is. */
  async note(name: LossName, outcome: Outcome): Promise<void> {
    this.#outcomes.set(name, [...(this.#outcomes.get(name) ?? []), outcome])
    const [load = ''] = (await readFile('/proc/loadavg', 'utf8')).split(' ')
    const { play, leads, whole } = outcome
    const leader = leads === null ? '' : `, led anew after ${leads}`
    process.stdout.write(`${name}: play back after ${play} ms${leader}, whole after ${whole}, load ${load}\n`)
  }

  /** A table as documents have it, a row for each kind of loss, in the order in which they came first. */
  table(): string {
    const rows = Array.from(this.#outcomes, ([name, outcomes]) => row(name, outcomes))
    return [HEAD, HEAD.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |\n`).join('')
  }
}

function row(name: LossName, outcomes: readonly Outcome[]): (string | number)[] {
  const { promisedS }: Loss = LOSSES[name]
  const plays = outcomes.map(({ play }) => play)
  const leads = outcomes.flatMap(({ leads }) => leads ?? [])
  const sum = (of: (outcome: Outcome) => number) => outcomes.reduce((sum, outcome) => sum + of(outcome), 0)
  return [
    name,
    outcomes.length,
    inSeconds(median(plays)),
    inSeconds(Math.max(...plays)),
    promisedS ?? '',
    leads.length > 0 ? inSeconds(median(leads)) : '',
    inSeconds(median(outcomes.map(({ whole }) => whole))),
    sum(({ attempts }) => attempts),
    sum(({ lost }) => lost),
    sum(({ reads }) => reads),
    sum(({ wrong }) => wrong),
  ]
}

const inSeconds = (ms: number) => (ms / 1_000).toFixed(1)

const median = (values: readonly number[]) =>
  [...values].sort((one, other) => one - other)[values.length >> 1] ?? 0

import { readFile } from 'node:fs/promises'
import type { LossName } from './losses.ts'

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
}

const HEAD = ['lost', 'play back after, s', 'led anew, s', 'whole, s', 'attempts acknowledged']

/** What came of the losses of a run, each of which is lost once. */
export class Tally {
  readonly #rows: string[][] = []

  /** Keeps it, and prints it in a line with how busy the machine is. */
  async note(name: LossName, { play, leads, whole, attempts }: Outcome): Promise<void> {
    const [load = ''] = (await readFile('/proc/loadavg', 'utf8')).split(' ')
    const row = [
      name,
      inSeconds(play),
      leads === null ? '' : inSeconds(leads),
      inSeconds(whole),
      `${attempts}`,
    ]
    this.#rows.push(row)
    process.stdout.write(`${row.join(' | ')} (load ${load})\n`)
  }

  /** A table as documents have it, in the order of the losses. */
  table(): string {
    return [HEAD, HEAD.map(() => '---'), ...this.#rows].map(cells => `| ${cells.join(' | ')} |\n`).join('')
  }
}

const inSeconds = (ms: number) => (ms / 1_000).toFixed(1)

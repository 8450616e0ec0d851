import { readFile } from 'node:fs/promises'
import type { LossName } from './losses.ts'

/** What one loss caused. Times in ms. */
export interface Outcome {
  /** The longest time that one player could not play. */
  readonly play: number
  /** Until a new leader led; null where none was needed. */
  readonly leads: number | null
  /** Until all three machines worked again. */
  readonly whole: number
  /** Acknowledged since the previous loss. */
  readonly attempts: number
}

const HEAD = ['lost', 'play back after, s', 'new leader, s', 'whole, s', 'attempts acknowledged']

/** The outcomes of a run, as a Markdown table. */
export class LossTable {
  readonly #rows: string[][] = []

  /** Adds an outcome and prints it with the load of this machine. */
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

  table(): string {
    return [HEAD, HEAD.map(() => '---'), ...this.#rows].map(cells => `| ${cells.join(' | ')} |\n`).join('')
  }
}

const inSeconds = (ms: number) => (ms / 1_000).toFixed(1)

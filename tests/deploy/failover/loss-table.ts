import { readFile } from 'node:fs/promises'
import type { LossName } from './losses.ts'

/** The effects of one loss; times in ms. */
export interface Outcome {
  /** The longest time for which a player could not play. */
  readonly play: number
  /** The time until the cluster had a new leader; null when the loss needs no new leader. */
  readonly leads: number | null
  /** The time until all three machines worked again. */
  readonly whole: number
  /** Attempts acknowledged since the previous loss. */
  readonly attempts: number
}

const HEAD = ['lost', 'play resumed after, s', 'new leader, s', 'whole, s', 'attempts acknowledged']

export class LossTable {
  readonly #rows: string[][] = []

  /** Adds an outcome, and prints the outcome with this machine's load. */
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

import { randomInt } from 'node:crypto'

const { FAULTS, FAULTS_SEED } = process.env

/** `FAULTS=long` is the full proof; anything else the short one inside `npm test`. */
const LONG = FAULTS === 'long'

/** How much of something a run does. */
export function sized<Amount>(short: Amount, long: Amount): Amount {
  return LONG ? long : short
}

/** What `FAULTS_SEED` says, to see a failed run's choices again, or a new one. */
export const SEED = Number(FAULTS_SEED || randomInt(2 ** 31))

/** Random choices that follow from a seed (mulberry32). */
export class Dice {
  #state: number

  constructor(seed: number) {
    this.#state = seed
  }

  /** Uniform in [0, 1). */
  roll(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number from `least` to `most`, both included. */
  whole(least: number, most: number): number {
    return least + Math.floor(this.roll() * (most - least + 1))
  }

  pick<Item>(items: readonly [Item, ...Item[]]): Item {
    return items[this.whole(0, items.length - 1)] ?? items[0]
  }

  /** The same items in another order. */
  shuffle<Item>(items: readonly Item[]): Item[] {
    const keyed = items.map(item => ({ item, key: this.roll() }))
    return keyed.sort((one, other) => one.key - other.key).map(({ item }) => item)
  }
}

/** Prints what a test did, in one line. */
export function report(test: string, figures: Readonly<Record<string, string | number>>): void {
  const line = Object.entries({ ...figures, seed: SEED }).map(([name, value]) => `${name} ${value}`)
  process.stdout.write(`${test}: ${line.join(', ')}\n`)
}

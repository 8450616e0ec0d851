/** How finely times are told apart, ms. */
const STEP_MS = 0.1
const LONGEST_MS = 20_000

/** How long many things took, counted in steps of 0.1 ms: a million of them in the room of one. */
export class Spread {
  readonly #counts = new Uint32Array(LONGEST_MS / STEP_MS + 1)
  #total = 0

  add(ms: number): void {
    const step = Math.min(Math.max(0, Math.round(ms / STEP_MS)), this.#counts.length - 1)
    this.#counts[step] = (this.#counts[step] ?? 0) + 1
    this.#total += 1
  }

  get total(): number {
    return this.#total
  }

  /** The time that a share of all is not above, ms; NaN when there is none. */
  percentile(share: number): number {
    let left = Math.ceil(share * this.#total)
    for (const [step, count] of this.#counts.entries()) {
      left -= count
      if (left <= 0 && this.#total > 0) return step * STEP_MS
    }
    return Number.NaN
  }

  clear(): void {
    this.#counts.fill(0)
    this.#total = 0
  }
}

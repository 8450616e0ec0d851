/** The width of a bucket, ms. */
const STEP_MS = 0.1
const LONGEST_MS = 20_000

/** A histogram of durations in buckets of 0.1 ms: millions of them take no more room than one. */
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

  /** A percentile, in ms; NaN when nothing was added. */
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

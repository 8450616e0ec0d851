const STEP_MS = 0.01
const LONGEST_MS = 20_000

/** Percentiles in ms. */
export interface TimingsSummary {
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly max: number
}

/** A fixed-size histogram of durations, in buckets of 0.01 ms. */
export class Timings {
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

  /** Returns the percentiles; NaN when there are no durations. */
  summary(): TimingsSummary {
    const at = (share: number) => this.#percentile(share)
    return { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) }
  }

  #percentile(share: number): number {
    if (this.#total === 0) return Number.NaN
    const rank = Math.ceil(share * this.#total)
    let seen = 0
    return (
      STEP_MS *
      this.#counts.findIndex(count => {
        seen += count
        return seen >= rank
      })
    )
  }
}

import { percentile } from '../series.ts'

/** How long calls took, in ms. */
export interface TimingsSummary {
  readonly count: number
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/** Collects the time of every call: percentiles cannot be computed from percentiles. */
export class Timings {
  readonly #ms: number[] = []

  add(ms: number): void {
    this.#ms.push(ms)
  }

  summary(): TimingsSummary {
    const sorted = Float64Array.from(this.#ms).sort()
    const at = (share: number) => percentile(sorted, share)
    return { count: sorted.length, p50: at(0.5), p99: at(0.99), max: at(1) }
  }
}

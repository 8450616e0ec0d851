import { percentile } from '../section.ts'

/** The newest attempt of an `attempts` event. The preceding `prize_pool` event also contains a timestamp. */
const STAMP = /event: attempts\n.*?"created_at":"([^"]+)"/
const NOTHING: Buffer = Buffer.alloc(0)

/** Figures for all events of all viewers. */
export interface EventFigures {
  readonly events: number
  /** Percentiles, in ms, of the time from an attempt's `created_at` to the arrival of the attempt's event. */
  readonly p95: number
  readonly p99: number
  /** The longest time for which a viewer received no event, in ms. */
  readonly longestGap: number
}

/** Measures the events of all viewers of a process. The age of an event is the age of its newest attempt. */
export class Listener {
  readonly #late: number[] = []
  readonly #arrivals: Float64Array
  #longestGap = 0
  /** The last chunk and its timestamp. All viewers receive the same bytes, so they are parsed only once. */
  #bytes = NOTHING
  #stampMs = Number.NaN

  constructor(viewers: number) {
    this.#arrivals = new Float64Array(viewers).fill(performance.now())
  }

  /** Records the event in a chunk that a viewer received; most events arrive in one chunk. */
  record(viewer: number, bytes: Buffer): void {
    const now = performance.now()
    if (!bytes.equals(this.#bytes)) {
      this.#bytes = bytes
      this.#stampMs = Date.parse(STAMP.exec(bytes.toString('latin1'))?.[1] ?? '')
    }
    if (Number.isNaN(this.#stampMs)) return
    this.#late.push(performance.timeOrigin + now - this.#stampMs)
    this.#longestGap = Math.max(this.#longestGap, now - (this.#arrivals[viewer] ?? now))
    this.#arrivals[viewer] = now
  }

  /** Summarises the events, including gaps that have not ended. */
  sum(): EventFigures {
    const now = performance.now()
    const silence = now - this.#arrivals.reduce((least, arrival) => Math.min(least, arrival), now)
    return {
      events: this.#late.length,
      p95: percentile(this.#late, 0.95),
      p99: percentile(this.#late, 0.99),
      longestGap: Math.max(this.#longestGap, silence),
    }
  }
}

import { percentile } from '../section.ts'

/** The start of an `attempts` event. The preceding `prize_pool` event also contains a timestamp. */
const ATTEMPTS = Buffer.from('event: attempts')
const STAMP = Buffer.from('created_at')
const STAMP_LENGTH = '2026-11-21T00:00:00.000Z'.length
/** The first digit of every timestamp, used to find where a timestamp starts. */
const TWO = '2'.charCodeAt(0)

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
  /** The last timestamp parsed. All viewers receive the same bytes, so each timestamp is parsed only once. */
  #text = ''
  #stampMs = 0

  constructor(viewers: number) {
    this.#arrivals = new Float64Array(viewers).fill(performance.now())
  }

  /** Records the event in a chunk that a viewer received; most events arrive in one chunk. */
  record(viewer: number, bytes: Buffer): void {
    const attempts = bytes.indexOf(ATTEMPTS)
    const at = attempts < 0 ? attempts : bytes.indexOf(STAMP, attempts)
    if (at < 0) return
    const now = performance.now()
    const from = bytes.indexOf(TWO, at)
    this.#late.push(
      performance.timeOrigin + now - this.#toMs(bytes.toString('latin1', from, from + STAMP_LENGTH)),
    )
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

  #toMs(text: string): number {
    if (text !== this.#text) {
      this.#text = text
      this.#stampMs = Date.parse(text)
    }
    return this.#stampMs
  }
}

import { Timings } from '../timings.ts'

/** The start of the attempts. The pool before them contains another timestamp, of the last win. */
const ATTEMPTS = Buffer.from('event: attempts')
const STAMP = Buffer.from('created_at')
const STAMP_LENGTH = '2026-11-21T00:00:00.000Z'.length
/** The first digit of a timestamp. Identifies the timestamp, because its quotes may be escaped. */
const TWO = '2'.charCodeAt(0)

/** The events that all viewers received. */
export interface Heard {
  readonly events: number
  /** Percentiles of the newest attempt's age at its arrival, counted from before its commit, in ms. */
  readonly p95: number
  readonly p99: number
  /** The longest time for which a viewer received no event, in ms. */
  readonly longestGap: number
}

/** Listens for all viewers of a process. The newest attempt's timestamp tells how old an event is. */
export class Listener {
  readonly #late = new Timings()
  readonly #arrivals: Float64Array
  #longestGap = 0
  /** The last timestamp. All viewers receive the same bytes, so each timestamp is parsed once. */
  #text = ''
  #stampMs = 0

  constructor(viewers: number) {
    this.#arrivals = new Float64Array(viewers).fill(performance.now())
  }

  /** Reads the bytes that a viewer received; most events arrive in one chunk. */
  hear(viewer: number, bytes: Buffer): void {
    const attempts = bytes.indexOf(ATTEMPTS)
    const at = attempts < 0 ? attempts : bytes.indexOf(STAMP, attempts)
    if (at < 0) return
    const now = performance.now()
    const from = bytes.indexOf(TWO, at)
    this.#late.add(
      performance.timeOrigin + now - this.#toMs(bytes.toString('latin1', from, from + STAMP_LENGTH)),
    )
    this.#longestGap = Math.max(this.#longestGap, now - (this.#arrivals[viewer] ?? now))
    this.#arrivals[viewer] = now
  }

  /** Summarises the events. A gap that still lasts counts as well. */
  sum(): Heard {
    const now = performance.now()
    const silence = now - this.#arrivals.reduce((least, arrival) => Math.min(least, arrival), now)
    const { p95, p99 } = this.#late.summary()
    return {
      events: this.#late.total,
      p95,
      p99,
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

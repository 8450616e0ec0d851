import { Timings } from '../timings.ts'

/** The event of the pool, which comes first, carries the stamp of the last win, so it is skipped. */
const ATTEMPTS = Buffer.from('event: attempts')
const STAMP = Buffer.from('created_at')
const STAMP_LENGTH = '2026-11-21T00:00:00.000Z'.length
/** The first digit of a stamp: the quotes before it may be escaped. */
const TWO = '2'.charCodeAt(0)

/** What all viewers together have received while they were listened for. */
export interface Heard {
  readonly events: number
  /** From the stamp of the newest attempt, which the database sets before its commit, to its arrival, ms. */
  readonly p95: number
  readonly p99: number
  /** The longest time that any viewer was without an event, ms. */
  readonly longestGap: number
}

/**
 * Listens for all viewers of a process. The newest attempt comes first in an event, so its stamp says how old the event
 * is; bytes without a stamp are not counted.
 */
export class Listener {
  readonly #late = new Timings()
  readonly #arrivals: Float64Array
  #longestGap = 0
  /** The last stamp, as text and in ms: everybody gets the same bytes, so it is parsed once. */
  #text = ''
  #stampMs = 0

  constructor(viewers: number) {
    this.#arrivals = new Float64Array(viewers).fill(performance.now())
  }

  /** Takes bytes that a viewer received; most events arrive in one piece. */
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

  /** What was received so far. A silence that still lasts counts as well. */
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

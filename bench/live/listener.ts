import { Timings } from '../timings.ts'

/** The pool's event comes first and carries the stamp of the last win, so it is skipped. */
const ATTEMPTS = Buffer.from('event: attempts')
const STAMP = Buffer.from('created_at')
const STAMP_LENGTH = '2026-11-21T00:00:00.000Z'.length
/** The first digit of a stamp, whose quotes may be escaped. */
const TWO = '2'.charCodeAt(0)

/** The events of all viewers together. */
export interface Heard {
  readonly events: number
  /** From the newest attempt's stamp, set before its commit, to its arrival, ms. */
  readonly p95: number
  readonly p99: number
  /** The longest time that a viewer was without an event, ms. */
  readonly longestGap: number
}

/** Listens for all viewers of a process. The stamp of the newest attempt says how old an event is. */
export class Listener {
  readonly #late = new Timings()
  readonly #arrivals: Float64Array
  #longestGap = 0
  /** The last stamp: all viewers get the same bytes, so it is parsed once. */
  #text = ''
  #stampMs = 0

  constructor(viewers: number) {
    this.#arrivals = new Float64Array(viewers).fill(performance.now())
  }

  /** Takes the bytes of a viewer; most events arrive in one piece. */
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

  /** Sums up. A silence that still lasts counts too. */
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

import { Spread } from './spread.ts'

/** The pool's event, which comes before, carries the stamp of the last win. */
const ATTEMPTS = Buffer.from('event: attempts')
const STAMP = Buffer.from('created_at')
const STAMP_LENGTH = '2026-11-21T00:00:00.000Z'.length
/** Between the name and the stamp stands `":"`, whose quotes are escaped where the event is a text in JSON. */
const TWO = '2'.charCodeAt(0)

/** What all viewers together have heard since the last time they were asked. */
export interface Heard {
  readonly events: number
  /** From the stamp of the newest attempt in an event, which the database made before its commit, to its arrival, ms. */
  readonly p95: number
  readonly p99: number
  /** The longest that any one viewer was without an event, ms. */
  readonly longestGap: number
}

/**
 * Listens for all viewers of a process. The newest attempt comes first in an event, so its stamp says how old the news
 * is; what carries none is not counted.
 */
export class Listener {
  readonly #late = new Spread()
  readonly #arrivals: Float64Array
  #longestGap = 0
  /** The stamp read last, as text and as ms: the same bytes go to everybody. */
  #text = ''
  #stampMs = 0

  constructor(viewers: number) {
    this.#arrivals = new Float64Array(viewers)
  }

  /** Takes what a viewer was sent; most events come in one piece. */
  hear(viewer: number, bytes: Buffer): void {
    const attempts = bytes.indexOf(ATTEMPTS)
    const at = attempts < 0 ? attempts : bytes.indexOf(STAMP, attempts)
    if (at < 0) return
    const now = performance.now()
    const from = bytes.indexOf(TWO, at)
    this.#late.add(
      performance.timeOrigin + now - this.#toMs(bytes.toString('latin1', from, from + STAMP_LENGTH)),
    )
    const before = this.#arrivals[viewer] ?? 0
    if (before > 0) this.#longestGap = Math.max(this.#longestGap, now - before)
    this.#arrivals[viewer] = now
  }

  /** Forgets what was heard so far. */
  begin(): void {
    this.#late.clear()
    this.#arrivals.fill(performance.now())
    this.#longestGap = 0
  }

  /** What was heard since it began. Whoever has heard nothing for long counts as well. */
  sum(): Heard {
    const now = performance.now()
    const silence = now - this.#arrivals.reduce((least, arrival) => Math.min(least, arrival), now)
    const at = (share: number) => this.#late.percentile(share)
    return {
      events: this.#late.total,
      p95: at(0.95),
      p99: at(0.99),
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

import { Problem } from '../problem.ts'

const WINDOW_MS = 60_000
/** The smallest jump to log: the part of `CLOCK_TOLERANCE_MS` that the page does not use. */
const JUMP_MS = 250

/** The database's time at some moment between two values of `performance.now()`. */
interface ClockReading {
  readonly askedAt: number
  readonly answeredAt: number
  readonly databaseMs: number
}

/** Estimates the database's clock: this machine's monotonic clock plus the offset of the fastest reading. */
export class DatabaseClock {
  readonly #onJump: (ms: number) => void
  /** Offsets of the last minute, the most certain first. */
  #offsets: { readonly ms: number; readonly uncertainMs: number; readonly at: number }[] = []

  /** @param onJump - Receives the size of a jump, ms. */
  constructor(onJump: (ms: number) => void) {
    this.#onJump = onJump
  }

  /**
   * Adds a reading. A reading that contradicts the others replaces them, because a new leader has another
   * clock.
   */
  note({ askedAt, answeredAt, databaseMs }: ClockReading): void {
    const ms = databaseMs - (askedAt + answeredAt) / 2
    const next = { ms, uncertainMs: (answeredAt - askedAt) / 2, at: answeredAt }
    const best = this.#offsets[0] ?? next
    const contradicts = Math.abs(ms - best.ms) > best.uncertainMs + next.uncertainMs
    const recent = contradicts ? [] : this.#offsets.filter(({ at }) => askedAt - at <= WINDOW_MS)
    this.#offsets = [...recent, next].sort((one, other) => one.uncertainMs - other.uncertainMs)
    if (contradicts && Math.abs(ms - best.ms) >= JUMP_MS) this.#onJump(Math.round(ms - best.ms))
  }

  /**
   * @param at - A value of `performance.now()`.
   * @returns the database's time, whole ms since the epoch
   * @throws {Problem} unavailable before the first reading
   */
  timeAt(at: number): number {
    const [best] = this.#offsets
    if (!best) throw new Problem('unavailable', { retryAfter: 1, alreadyLogged: true })
    return Math.round(at + best.ms)
  }

  now(): number {
    return this.timeAt(performance.now())
  }
}

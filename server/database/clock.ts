import { Problem } from '../problem.ts'

/** How far two clocks may drift apart in a ms: NTP slews each by 500 parts in a million at most. */
const DRIFT = 0.001

/** A jump worth a line in the log: the part of `CLOCK_TOLERANCE_MS` that the page itself does not use. */
const JUMP_MS = 250

/** One reading of the database's clock. */
interface ClockReading {
  /** When the database was asked, by this machine's monotonic clock, ms. */
  readonly askedAt: number
  /** When its answer arrived, by the same clock, ms. */
  readonly answeredAt: number
  /** Its clock at some moment in between, ms since the epoch. */
  readonly databaseMs: number
}

/**
 * The database's clock, which all nodes share: this machine's monotonic clock plus an offset. This machine's wall clock is
 * never used, so a node with a wrong one stamps rounds like any other.
 */
export class DatabaseClock {
  readonly #onJump: (ms: number) => void
  #best: ClockReading | null = null

  /** @param onJump called when the database's clock has moved against this machine's by 250 ms or more, with the ms */
  constructor(onJump: (ms: number) => void) {
    this.#onJump = onJump
  }

  /**
   * Takes a reading into account. The least uncertain one is kept; one that contradicts it replaces it at once, since then a
   * machine was suspended, a clock was set, or another database leads.
   */
  note(reading: ClockReading): void {
    const best = this.#best
    const now = reading.answeredAt
    if (!best) {
      this.#best = reading
      return
    }
    const [known, next] = [uncertaintyOf(best, now), uncertaintyOf(reading, now)]
    const moveMs = offsetOf(reading) - offsetOf(best)
    // Both uncertainties count: a read that hung for a minute contradicts nothing.
    const contradicts = Math.abs(moveMs) > known + next
    if (contradicts || next <= known) this.#best = reading
    if (contradicts && Math.abs(moveMs) >= JUMP_MS) this.#onJump(Math.round(moveMs))
  }

  /**
   * The database's time at a moment, in whole ms since the epoch.
   *
   * @param at by `performance.now()`
   * @throws Problem `unavailable` before the first reading
   */
  timeAt(at: number): number {
    if (!this.#best) throw new Problem('unavailable', { retryAfter: 1, alreadyLogged: true })
    return Math.round(at + offsetOf(this.#best))
  }

  /** The database's time now; as `timeAt`. */
  now(): number {
    return this.timeAt(performance.now())
  }
}

/** How far the database's clock is ahead of this machine's monotonic one, ms: the middle of what is possible. */
function offsetOf({ askedAt, answeredAt, databaseMs }: ClockReading): number {
  return databaseMs - (askedAt + answeredAt) / 2
}

/** By how much the offset may be wrong either way at a later moment, ms. */
function uncertaintyOf({ askedAt, answeredAt }: ClockReading, now: number): number {
  return (answeredAt - askedAt) / 2 + DRIFT * (now - answeredAt)
}

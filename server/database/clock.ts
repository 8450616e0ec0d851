import { Problem } from '../problem.ts'

const WINDOW_MS = 60_000
/** A jump worth a line in the log: the part of `CLOCK_TOLERANCE_MS` that the page itself does not use. */
const JUMP_MS = 250

/** The database's clock at some moment between two moments of `performance.now()`. */
interface ClockReading {
  readonly askedAt: number
  readonly answeredAt: number
  readonly databaseMs: number
}

/** The clock that all nodes share: this machine's monotonic clock plus the quickest reading's offset. */
export class DatabaseClock {
  readonly #onJump: (ms: number) => void
  /** The last minute's, the quickest first. */
  #offsets: { readonly ms: number; readonly uncertainMs: number; readonly at: number }[] = []

  /** @param onJump - Called with the ms when the clock has moved by 250 ms or more. */
  constructor(onJump: (ms: number) => void) {
    this.#onJump = onJump
  }

  /** Keeps a reading; one that contradicts the best empties the window: a new leader has another clock. */
  note({ askedAt, answeredAt, databaseMs }: ClockReading): void {
    const ms = databaseMs - (askedAt + answeredAt) / 2
    const next = { ms, uncertainMs: (answeredAt - askedAt) / 2, at: answeredAt }
    const best = this.#offsets[0] ?? next
    const contradicts = Math.abs(ms - best.ms) > best.uncertainMs + next.uncertainMs
    const recent = contradicts ? [] : this.#offsets.filter(({ at }) => askedAt - at <= WINDOW_MS)
    this.#offsets = [...recent, next].sort((one, other) => one.uncertainMs - other.uncertainMs)
    if (contradicts && Math.abs(ms - best.ms) >= JUMP_MS) this.#onJump(Math.round(ms - best.ms))
  }

  /** Whole ms since the epoch; `at` is of `performance.now()`. Throws `unavailable` before a reading. */
  timeAt(at: number): number {
    const [best] = this.#offsets
    if (!best) throw new Problem('unavailable', { retryAfter: 1, alreadyLogged: true })
    return Math.round(at + best.ms)
  }

  now(): number {
    return this.timeAt(performance.now())
  }
}

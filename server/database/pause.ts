import { shared } from '../lib/batch.ts'

/** How often the process notes that it runs, ms. */
const BEAT_MS = 1_000
/**
 * Longer than a busy machine keeps the process waiting, and shorter than any time after which another database may lead: in
 * `deploy/ha/` a leader is believed for 15 to 20 s. ms
 */
export const PAUSE_MS = 5_000
/**
 * How long a proxy in between may take to see that the database at hand leads no more. Until then it sends one connection to
 * that and the next to the other, so that a commit on one says nothing about a read on the next. With
 * `deploy/ha/haproxy-database.cfg` it is two checks, each of 2 s at most, 0.3 s apart. ms
 */
export const HANDOVER_MS = 5_000

/**
 * Knows whether this process has stood still, as it does with a machine that is frozen. When it wakes, the database that it
 * asks may have been left behind, and not know yet: it answers every read, from the past. Only a commit tells, because that
 * needs the others. So after a pause nothing is believed until one is confirmed that was begun when every connection leads to
 * the same database again.
 */
export class PauseCheck {
  /** By `aliveMs`. */
  #ranAt = aliveMs()
  #wokeAt = Number.NEGATIVE_INFINITY
  #pauses = 0
  #settledPauses = 0
  readonly #beat: NodeJS.Timeout

  /**
   * Commits, if there was a pause since the last time; many who ask at once cost one commit.
   *
   * @throws Error right after a pause, and the database's; what was in doubt stays so
   */
  readonly settle: () => Promise<unknown>

  /** @param commit has something committed, by a statement that it begins when it is called */
  constructor(commit: () => Promise<unknown>) {
    this.#beat = setInterval(() => this.#note(), BEAT_MS).unref()
    this.settle = shared(async () => {
      this.#note()
      // One more may come while this commit is under way: it then says nothing about that one.
      const pauses = this.#pauses
      if (pauses === this.#settledPauses) return pauses
      if (aliveMs() - this.#wokeAt < HANDOVER_MS) throw new Error('This process stood still just now')
      await commit()
      this.#settledPauses = pauses
      return pauses
    })
  }

  /** Whether the database is in doubt; then it is settled for those who come next. */
  keepLooking(): boolean {
    this.#note()
    const inDoubt = this.#pauses !== this.#settledPauses
    if (inDoubt) void this.settle().catch(() => undefined)
    return inDoubt
  }

  close(): void {
    clearInterval(this.#beat)
  }

  /** Not by the timer alone: what has arrived meanwhile is served before timers are. */
  #note(): void {
    const now = aliveMs()
    if (now - this.#ranAt > PAUSE_MS) {
      this.#pauses += 1
      this.#wokeAt = now
    }
    this.#ranAt = now
  }
}

/** How long this process has been there; monotonic, ms. It goes on while the process stands still. */
function aliveMs(): number {
  return 1_000 * process.uptime()
}

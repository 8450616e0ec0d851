/** So long without a heartbeat, ms: a live stream that stands still for longer would look alive. */
export const OUTAGE_MS = 5_000

/**
 * How long a proxy in between may take to see that a database leads no more. Until then it sends one connection to that and
 * the next to the new leader, so that a commit on one says nothing about a read on the next. With
 * `deploy/ha/haproxy-database.cfg` it is two checks, each of 2 s at most, 0.3 s apart. ms
 */
export const HANDOVER_MS = 5_000

/**
 * Whether the database is there and may be believed. After an outage, of the database or of this process, the one that
 * answers may be a leader that was replaced meanwhile and does not know it yet: it reads, from the past, but it cannot
 * commit. So nothing is believed until a commit succeeds that was begun 5 s after the first answer or later.
 *
 * Each moment is one of the same monotonic clock, ms.
 */
export class Outage {
  #beatAt: number | null = null
  #backAt = Number.NEGATIVE_INFINITY
  #isDoubted = false

  /** The database answered at this moment. */
  beat(now: number): void {
    if (this.#beatAt !== null && this.isAway(now)) {
      this.#backAt = now
      this.#isDoubted = true
    }
    this.#beatAt = now
  }

  isAway(now: number): boolean {
    return this.#beatAt === null || now - this.#beatAt > OUTAGE_MS
  }

  isInDoubt(now: number): boolean {
    return this.#isDoubted || this.isAway(now)
  }

  /** True when a commit that is begun now would end the doubt. */
  wantsCommit(now: number): boolean {
    return this.#isDoubted && now - this.#backAt >= HANDOVER_MS
  }

  /** A commit that was begun at this moment has succeeded. */
  committed(begunAt: number): void {
    if (this.wantsCommit(begunAt)) this.#isDoubted = false
  }
}

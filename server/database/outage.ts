/** How long without a heartbeat counts as an outage, ms: a live stream that is still for longer would look alive. */
export const OUTAGE_MS = 5_000

/**
 * How long a proxy may take to notice that a database is no longer the leader, ms. Until then it may send one connection to
 * the old leader and the next to the new one, so a commit on one proves nothing about the other. With
 * `deploy/ha/haproxy-database.cfg`: two checks of 2 s at most, 0.3 s apart.
 */
export const HANDOVER_MS = 5_000

/**
 * Whether the database is there and can be trusted. After an outage, of the database or of this process, the one that
 * answers may be a former leader that does not know yet: it serves reads from the past but cannot commit. So the database
 * stays in doubt until a commit succeeds that began 5 s or more after the first answer.
 *
 * All moments are of one monotonic clock, in ms.
 */
export class Outage {
  #beatAt: number | null = null
  #backAt = Number.NEGATIVE_INFINITY
  #isDoubted = false

  /** The database has answered. */
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

  /** True when a commit that begins now would end the doubt. */
  wantsCommit(now: number): boolean {
    return this.#isDoubted && now - this.#backAt >= HANDOVER_MS
  }

  /** A commit that began at this moment has succeeded. */
  committed(begunAt: number): void {
    if (this.wantsCommit(begunAt)) this.#isDoubted = false
  }
}

/** The silence after which the database counts as unavailable. */
export const OUTAGE_MS = 5_000

/**
 * The longest time that a proxy may still connect to a former leader, in ms. HAProxy notices a change after
 * two checks of up to 2 s, 0.3 s apart (`deploy/ha/haproxy-database.cfg`).
 */
export const HANDOVER_MS = 5_000

/**
 * Tracks whether the database answers and can be trusted. After an outage, a former leader may still answer
 * reads; only a commit begun HANDOVER_MS later ends the doubt.
 *
 * All times are monotonic, in ms.
 */
export class DatabaseHealth {
  #answeredAt: number | null = null
  #backAt = Number.NEGATIVE_INFINITY
  #isDoubted = false

  answered(now: number): void {
    if (this.#answeredAt !== null && this.isUnavailable(now)) {
      this.#backAt = now
      this.#isDoubted = true
    }
    this.#answeredAt = now
  }

  isUnavailable(now: number): boolean {
    return this.#answeredAt === null || now - this.#answeredAt > OUTAGE_MS
  }

  isInDoubt(now: number): boolean {
    return this.#isDoubted || this.isUnavailable(now)
  }

  /** Returns whether a commit that begins now would end the doubt. */
  wantsCommit(now: number): boolean {
    return this.#isDoubted && now - this.#backAt >= HANDOVER_MS
  }

  /** Ends the doubt if the commit began late enough. */
  committed(begunAt: number): void {
    if (this.wantsCommit(begunAt)) this.#isDoubted = false
  }
}

/** A live stream that is still for longer would look alive. */
export const OUTAGE_MS = 5_000

/**
 * How long a proxy may use two leaders, ms. With `deploy/ha/haproxy-database.cfg` two checks of 2 s at most,
 * 0.3 s apart.
 */
export const HANDOVER_MS = 5_000

/**
 * Whether the database answers and can be trusted. After an outage, a former leader may answer reads but
 * cannot commit. The database stays in doubt until a commit succeeds that began HANDOVER_MS or more after the
 * first answer.
 *
 * All moments are of one monotonic clock, in ms.
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

  /** True when a commit that begins now would end the doubt. */
  wantsCommit(now: number): boolean {
    return this.#isDoubted && now - this.#backAt >= HANDOVER_MS
  }

  /** Ends the doubt if this commit began late enough. */
  committed(begunAt: number): void {
    if (this.wantsCommit(begunAt)) this.#isDoubted = false
  }
}

import type { Database } from '../database/connection.ts'
import { shared } from '../lib/batch.ts'
import { Problem } from '../problem.ts'

/** The silence after which the database counts as unavailable. */
const OUTAGE_MS = 5_000

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

interface Poller {
  readonly health: DatabaseHealth
  poll(): Promise<unknown>
  on(event: 'polled', listener: () => void): unknown
}

/** How long a recorded attempt or a probe proves readiness. A probe costs an attempt ID and a flush to disk. */
const PROOF_MS = 10_000

/** Retry-After in seconds; by then a proxy may have chosen another node. */
const RETRY_S = 1

/**
 * Tells whether attempts can be recorded. Relies on a recent attempt, or else on a probe that writes, because
 * reads still work on a full disk.
 */
export class Readiness {
  readonly #poller: Poller
  readonly #probe: () => Promise<unknown>
  /** The monotonic time of the last recorded attempt, ms. */
  #recordedAt = Number.NEGATIVE_INFINITY

  constructor(database: Database, poller: Poller) {
    this.#poller = poller
    this.#probe = shared(async () => {
      const result = await database.query('select rehearse_attempt()')
      this.recorded()
      return result
    })
    poller.on('polled', () => {
      if (poller.health.wantsCommit(performance.now())) void this.#settle()
    })
  }

  recorded(): void {
    this.#recordedAt = performance.now()
  }

  /** Notes that an attempt could not be recorded. */
  failed(): void {
    this.#recordedAt = Number.NEGATIVE_INFINITY
  }

  /** @throws {Problem} unavailable */
  assertReady(title?: string): void {
    if (!this.#poller.health.isInDoubt(performance.now())) return
    throw new Problem('unavailable', { ...(title && { title }), retryAfter: RETRY_S, isUnlogged: true })
  }

  /** @throws {Problem} unavailable, with the reason */
  async check(): Promise<void> {
    await this.#poller.poll().catch(notReady('The database cannot be reached'))
    this.assertReady('The database was unavailable until just now')
    if (performance.now() - this.#recordedAt < PROOF_MS) return
    await this.#probe().catch(notReady('The database cannot record attempts'))
  }

  async #settle(): Promise<void> {
    const begunAt = performance.now()
    await this.#probe().then(
      () => this.#poller.health.committed(begunAt),
      () => undefined,
    )
  }
}

function notReady(title: string): (cause: unknown) => never {
  return cause => {
    throw new Problem('unavailable', { title, retryAfter: RETRY_S, cause })
  }
}

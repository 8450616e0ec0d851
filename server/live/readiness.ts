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

/** How long a recorded attempt or a probe proves readiness. A probe costs an attempt ID and a flush to disk. */
const PROOF_MS = 10_000

/** Retry-After in seconds; by then a proxy may have chosen another node. */
const RETRY_S = 1

/** Tells whether the database answers, can be trusted and can record attempts. All times are monotonic, in ms. */
export class Readiness {
  readonly #database: Pick<Database, 'query'>
  readonly #outageMs: number
  readonly #probe: () => Promise<unknown>
  #answeredAt: number | null = null
  /** The first answer after an outage, until the database can be trusted. */
  #backAt: number | null = null
  #recordedAt = Number.NEGATIVE_INFINITY

  constructor(database: Pick<Database, 'query'>, outageMs = OUTAGE_MS) {
    this.#database = database
    this.#outageMs = outageMs
    // Writes, because reads still work on a full disk, and at a former leader.
    this.#probe = shared(async () => {
      const probed = await database.query('select rehearse_attempt()')
      this.recorded()
      return probed
    })
  }

  /** Notes that the database has answered a poll. */
  answered(): void {
    const now = performance.now()
    if (this.#answeredAt !== null && this.isUnavailable) this.#backAt = now
    this.#answeredAt = now
    if (this.#backAt !== null && now - this.#backAt >= HANDOVER_MS) void this.#settle(this.#backAt)
  }

  get isUnavailable(): boolean {
    return this.#answeredAt === null || performance.now() - this.#answeredAt > this.#outageMs
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
    if (this.#backAt === null && !this.isUnavailable) return
    throw new Problem('unavailable', { ...(title && { title }), retryAfter: RETRY_S, isUnlogged: true })
  }

  /** @throws {Problem} unavailable, with the reason */
  async check(): Promise<void> {
    this.assertReady('The database is unavailable, or was until just now')
    const isProven = performance.now() - this.#recordedAt < PROOF_MS
    if (isProven) await this.#database.query('select').catch(notReady('The database cannot be reached'))
    else await this.#probe().catch(notReady('The database cannot record attempts'))
  }

  /** Ends the doubt once a probe has committed, unless another outage followed. */
  async #settle(backAt: number): Promise<void> {
    await this.#probe().then(
      () => {
        if (this.#backAt === backAt) this.#backAt = null
      },
      () => undefined,
    )
  }
}

function notReady(title: string): (cause: unknown) => never {
  return cause => {
    throw new Problem('unavailable', { title, retryAfter: RETRY_S, cause })
  }
}

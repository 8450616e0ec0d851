import { shared } from '../lib/batch.ts'
import { Throttle } from '../lib/throttle.ts'
import { Problem } from '../problem.ts'
import type { Heartbeat } from './heartbeat.ts'
import type { Database } from './pool.ts'

/** A recorded attempt shows for this long that attempts can be recorded. */
const PROOF_MS = 10_000

/** After an outage, between two rehearsals that may end the doubt, ms. */
const SETTLE_EVERY_MS = 1_000

/** After which a client may find another node, or this one as it should be, in seconds. */
const RETRY_S = 1

/**
 * Knows whether attempts can be recorded. A disk that is full or a database that is read-only answers every read,
 * so only writing can tell; what players write tells it for nothing, and only a probe of a node that has recorded
 * nothing lately, or has failed to, rehearses.
 */
export class Readiness {
  readonly #heartbeat: Heartbeat
  /** Many who ask at once cost one. */
  readonly #rehearse: () => Promise<unknown>
  readonly #settler = new Throttle(SETTLE_EVERY_MS, () => this.#settle())
  /** Monotonic, ms. */
  #recordedAt = Number.NEGATIVE_INFINITY
  #isPrepared = false

  constructor(database: Database, heartbeat: Heartbeat) {
    this.#heartbeat = heartbeat
    this.#rehearse = shared(async () => {
      const rehearsed = await database.query('select rehearse_attempt()')
      this.recorded()
      return rehearsed
    })
    heartbeat.on('beat', () => {
      if (heartbeat.outage.wantsCommit(performance.now())) this.#settler.ask()
    })
  }

  /** The database was found and brought to this release. */
  prepared(): void {
    this.#isPrepared = true
  }

  /** An attempt was recorded just now. */
  recorded(): void {
    this.#recordedAt = performance.now()
  }

  /** One could not be, for no fault of its own. */
  failed(): void {
    this.#recordedAt = Number.NEGATIVE_INFINITY
  }

  /** @throws Problem `unavailable`, at once, while the database is away, or what it says may be of the past */
  require(title?: string): void {
    if (this.#isPrepared && !this.#heartbeat.outage.isInDoubt(performance.now())) return
    throw new Problem('unavailable', { ...(title && { title }), retryAfter: RETRY_S, alreadyLogged: true })
  }

  /** @throws Problem `unavailable`, with the reason, while attempts cannot be recorded */
  async check(): Promise<void> {
    if (!this.#isPrepared) this.require()
    await this.#heartbeat.beat().catch(notReady('The database cannot be reached'))
    this.require('The database was away until just now')
    if (performance.now() - this.#recordedAt < PROOF_MS) return
    await this.#rehearse().catch(notReady('The database cannot record attempts'))
  }

  close(): Promise<void> {
    return this.#settler.close()
  }

  async #settle(): Promise<void> {
    const begunAt = performance.now()
    // The next beat tries again.
    await this.#rehearse().then(
      () => this.#heartbeat.outage.committed(begunAt),
      () => undefined,
    )
  }
}

function notReady(title: string): (cause: unknown) => never {
  return cause => {
    throw new Problem('unavailable', { title, retryAfter: RETRY_S, cause })
  }
}

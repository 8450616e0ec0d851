import type { Database } from '../database/pool.ts'
import { shared } from '../lib/batch.ts'
import { Throttle } from '../lib/throttle.ts'
import { Problem } from '../problem.ts'
import type { DatabasePoller } from './database-poller.ts'

/** For how long a recorded attempt proves that attempts can be recorded. */
const PROOF_MS = 10_000

/** Between two rehearsals after an outage, ms. */
const SETTLE_EVERY_MS = 1_000

/** Retry-After, in seconds: by then a proxy may have chosen another node. */
const RETRY_S = 1

/**
 * Knows whether attempts can be recorded. With a full disk or a read-only database every read still works, so only a write
 * can tell. Players' attempts tell it for free; a probe rehearses one only when none was recorded lately, or one failed.
 */
export class Readiness {
  readonly #poller: DatabasePoller
  /** Probes that arrive together share one rehearsal. */
  readonly #rehearse: () => Promise<unknown>
  readonly #settler = new Throttle(SETTLE_EVERY_MS, () => this.#settle())
  /** Monotonic, ms. */
  #recordedAt = Number.NEGATIVE_INFINITY

  constructor(database: Database, poller: DatabasePoller) {
    this.#poller = poller
    this.#rehearse = shared(async () => {
      const rehearsed = await database.query('select rehearse_attempt()')
      this.recorded()
      return rehearsed
    })
    poller.on('polled', () => {
      if (poller.health.wantsCommit(performance.now())) this.#settler.ask()
    })
  }

  /** An attempt was recorded. */
  recorded(): void {
    this.#recordedAt = performance.now()
  }

  /** An attempt could not be recorded, through no fault of its own. */
  failed(): void {
    this.#recordedAt = Number.NEGATIVE_INFINITY
  }

  /** @throws {Problem} unavailable while the database is unavailable or in doubt */
  assertReady(title?: string): void {
    if (!this.#poller.health.isInDoubt(performance.now())) return
    throw new Problem('unavailable', { ...(title && { title }), retryAfter: RETRY_S, alreadyLogged: true })
  }

  /** @throws {Problem} unavailable, with the reason, while attempts cannot be recorded */
  async check(): Promise<void> {
    await this.#poller.poll().catch(notReady('The database cannot be reached'))
    this.assertReady('The database was unavailable until just now')
    if (performance.now() - this.#recordedAt < PROOF_MS) return
    await this.#rehearse().catch(notReady('The database cannot record attempts'))
  }

  close(): Promise<void> {
    return this.#settler.close()
  }

  async #settle(): Promise<void> {
    const begunAt = performance.now()
    // The next poll tries again.
    await this.#rehearse().then(
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

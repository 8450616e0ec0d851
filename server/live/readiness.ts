import type { Database } from '../database/pool.ts'
import { shared } from '../lib/batch.ts'
import { Throttle } from '../lib/throttle.ts'
import { Problem } from '../problem.ts'
import type { DatabasePoller } from './poller.ts'

const PROOF_MS = 10_000

const SETTLE_EVERY_MS = 1_000

/** Retry-After in seconds; by then a proxy may have chosen another node. */
const RETRY_S = 1

/**
 * Tells whether attempts can be recorded. Relies on a recent attempt, or else on a probe that writes, because
 * reads still work on a full disk.
 */
export class Readiness {
  readonly #poller: DatabasePoller
  readonly #probe: () => Promise<unknown>
  readonly #settler = new Throttle(SETTLE_EVERY_MS, () => this.#settle())
  /** The monotonic time of the last recorded attempt, ms. */
  #recordedAt = Number.NEGATIVE_INFINITY

  constructor(database: Database, poller: DatabasePoller) {
    this.#poller = poller
    this.#probe = shared(async () => {
      const result = await database.query('select rehearse_attempt()')
      this.recorded()
      return result
    })
    poller.on('polled', () => {
      if (poller.health.wantsCommit(performance.now())) this.#settler.ask()
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
    throw new Problem('unavailable', { ...(title && { title }), retryAfter: RETRY_S, alreadyLogged: true })
  }

  /** @throws {Problem} unavailable, with the reason */
  async check(): Promise<void> {
    await this.#poller.poll().catch(notReady('The database cannot be reached'))
    this.assertReady('The database was unavailable until just now')
    if (performance.now() - this.#recordedAt < PROOF_MS) return
    await this.#probe().catch(notReady('The database cannot record attempts'))
  }

  close(): Promise<void> {
    return this.#settler.close()
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

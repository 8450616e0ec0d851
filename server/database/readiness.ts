import { shared } from '../lib/batch.ts'
import { Problem } from '../problem.ts'
import type { Database } from './pool.ts'

/** A recorded attempt shows for this long that attempts can be recorded. */
const PROOF_MS = 10_000

/**
 * Knows whether attempts can be recorded. A disk that is full or a database that is read-only answers every read,
 * so only writing can tell; what players write tells it for nothing, and only a probe of a node that has recorded
 * nothing lately, or has failed to, rehearses.
 */
export class Readiness {
  /** Many who ask at once cost one look. */
  readonly #look: () => Promise<unknown>
  readonly #rehearse: () => Promise<unknown>
  /** Monotonic, ms. */
  #recordedAt = Number.NEGATIVE_INFINITY
  #prepared = false

  constructor(database: Database) {
    this.#look = shared(() => database.query('select from prize_pool'))
    this.#rehearse = shared(() => database.query('select rehearse_attempt()'))
  }

  /** The database was found and brought to this release. */
  prepared(): void {
    this.#prepared = true
  }

  /** An attempt was recorded just now. */
  recorded(): void {
    this.#recordedAt = performance.now()
  }

  /** One could not be, for no fault of its own. */
  failed(): void {
    this.#recordedAt = Number.NEGATIVE_INFINITY
  }

  /** @throws Problem `unavailable` while the database was never there, at once: nothing is asked of it */
  requirePrepared(): void {
    if (!this.#prepared) throw new Problem('unavailable', { retryAfter: 1, told: true })
  }

  /** @throws Problem `unavailable` while attempts cannot be recorded */
  async check(): Promise<void> {
    this.requirePrepared()
    await this.#look().catch(notReady('The database cannot be reached'))
    if (performance.now() - this.#recordedAt < PROOF_MS) return
    await this.#rehearse().catch(notReady('The database cannot record attempts'))
    this.recorded()
  }
}

function notReady(title: string): (cause: unknown) => never {
  return cause => {
    throw new Problem('unavailable', { title, retryAfter: 1, cause })
  }
}

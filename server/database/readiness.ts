import { shared } from '../lib/batch.ts'
import { Problem } from '../problem.ts'
import type { ClockCheck } from './clock.ts'
import { PauseCheck } from './pause.ts'
import type { Database } from './pool.ts'

/** A recorded attempt shows for this long that attempts can be recorded. */
const PROOF_MS = 10_000

/** After which a client may find another node, or this one as it should be, in seconds. */
const RETRY_S = 1

const CANNOT_RECORD = 'The database cannot record attempts'

/**
 * Knows whether attempts can be recorded. A disk that is full or a database that is read-only answers every read,
 * so only writing can tell; what players write tells it for nothing, and only a probe of a node that has recorded
 * nothing lately, or has failed to, rehearses.
 */
export class Readiness {
  readonly #clock: ClockCheck
  readonly #pause: PauseCheck
  /** Many who ask at once cost one. */
  readonly #rehearse: () => Promise<unknown>
  /** Monotonic, ms. */
  #recordedAt = Number.NEGATIVE_INFINITY
  #prepared = false

  constructor(database: Database, clock: ClockCheck) {
    this.#clock = clock
    this.#rehearse = shared(async () => {
      const rehearsed = await database.query('select rehearse_attempt()')
      this.recorded()
      return rehearsed
    })
    this.#pause = new PauseCheck(this.#rehearse)
  }

  /** The database was found and brought to this release: from now on rounds are taken, if the clock is right. */
  async prepared(): Promise<void> {
    await this.#clock.measure().catch(() => undefined)
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
    if (!this.#prepared) throw new Problem('unavailable', { retryAfter: RETRY_S, told: true })
  }

  /** @throws Problem `unavailable` while what the database says may be of the past, because this process stood still */
  requireCurrent(): void {
    if (this.#pause.keepLooking()) throw new Problem('unavailable', { retryAfter: RETRY_S, told: true })
  }

  /** @throws Problem `unavailable` while this node's clock is too far from the database's to stamp a round */
  requireClock(): void {
    if (this.#clock.keepLooking()) throw new Problem('unavailable', { retryAfter: RETRY_S, told: true })
  }

  /** @throws Problem `unavailable`, with the reason, while attempts cannot be recorded */
  async check(): Promise<void> {
    this.requirePrepared()
    await this.#pause.settle().catch(notReady(CANNOT_RECORD))
    await this.#clock.measure().catch(notReady('The database cannot be reached'))
    const title = this.#clock.fault
    if (title) throw new Problem('unavailable', { title, retryAfter: RETRY_S, told: true })
    if (performance.now() - this.#recordedAt < PROOF_MS) return
    await this.#rehearse().catch(notReady(CANNOT_RECORD))
  }

  close(): void {
    this.#pause.close()
  }
}

function notReady(title: string): (cause: unknown) => never {
  return cause => {
    throw new Problem('unavailable', { title, retryAfter: RETRY_S, cause })
  }
}

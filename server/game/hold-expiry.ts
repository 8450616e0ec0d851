import type { Database } from '../database/pool.ts'
import type { Logger } from '../log.ts'
import { expireHolds } from './prizes.ts'

/** How late a prize may return at most, besides the time that the statement takes. */
const INTERVAL_MS = 1_000

/** Returns the prizes whose time is up, also when nobody plays; every node does it, and each prize returns once. */
export class HoldExpiry {
  readonly #database: Database
  readonly #log: Logger
  readonly #onReturned: (taps: number) => void
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()
  #closed = false

  /** @param onReturned told after the commit how many TAPS went back to the pool */
  constructor(database: Database, log: Logger, onReturned: (taps: number) => void) {
    this.#database = database
    this.#log = log
    this.#onReturned = onReturned
  }

  open(): void {
    if (this.#closed) return
    this.#timer = setTimeout(() => {
      this.#running = this.#run()
    }, INTERVAL_MS)
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#running
  }

  async #run(): Promise<void> {
    try {
      let taps: number
      do {
        taps = await expireHolds(this.#database)
        if (taps > 0) this.#onReturned(taps)
        // There may be more than were taken at once.
      } while (taps > 0 && !this.#closed)
    } catch (error) {
      this.#log.warn({ err: error }, 'prizes could not be returned; the next second tries again')
    }
    this.open()
  }
}

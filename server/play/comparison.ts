import { toMs } from '../../contract/time.ts'
import type { Database } from '../database/connection.ts'
import type { Logger } from '../log.ts'

const COMPARED_ATTEMPTS = 1_000
/** The fewest attempts for a comparison, because a share of fewer attempts is mostly chance. */
const ENOUGH_ATTEMPTS = 50
const REFRESH_MS = 10_000

/** Compares an attempt with the latest attempts of all players, without a query for each attempt. */
export class Comparison {
  readonly #database: Database
  readonly #log: Logger
  #distancesMs: readonly number[] = []
  /** The monotonic time of the latest read, ms. */
  #readAt = Number.NEGATIVE_INFINITY

  constructor(database: Database, log: Logger) {
    this.#database = database
    this.#log = log
  }

  /**
   * Returns the percentage of the latest attempts that were farther from their target. Reads these attempts
   * again, for later calls, every ten seconds at most.
   *
   * @param difference - The attempt's difference, in seconds.
   * @returns undefined while there are too few attempts
   */
  closerThan(difference: number): number | undefined {
    if (performance.now() - this.#readAt >= REFRESH_MS) void this.refresh()
    const { length } = this.#distancesMs
    if (length < ENOUGH_ATTEMPTS) return undefined
    const distanceMs = Math.abs(toMs(difference))
    const farther = this.#distancesMs.filter(otherMs => otherMs > distanceMs).length
    return Math.floor((100 * farther) / length)
  }

  /** Reads the latest attempts, except unverified attempts, which state any time. */
  async refresh(): Promise<void> {
    this.#readAt = performance.now()
    try {
      const { rows } = await this.#database.query<{ difference: number }>({
        name: 'compared_attempts',
        text: `
          select difference
          from (select difference, verified from attempts order by id desc limit ${COMPARED_ATTEMPTS}) as latest
          where verified`,
      })
      this.#distancesMs = rows.map(({ difference }) => Math.abs(toMs(difference)))
    } catch (error) {
      if (!this.#database.ending) this.#log.warn({ err: error }, 'attempts to compare could not be read')
    }
  }
}

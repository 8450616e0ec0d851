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
  /** The number of recorded attempts at the latest read. */
  #attempts: number | undefined
  /** The monotonic time of the latest read, ms. */
  #readAt = Number.NEGATIVE_INFINITY

  constructor(database: Database, log: Logger) {
    this.#database = database
    this.#log = log
  }

  /**
   * Reads the latest attempts, if attempts were recorded since the last read. Reads every ten seconds at most.
   *
   * @param attempts - The number of recorded attempts.
   */
  async refresh(attempts: number): Promise<void> {
    const now = performance.now()
    if (attempts === this.#attempts || now - this.#readAt < REFRESH_MS) return
    this.#attempts = attempts
    this.#readAt = now
    try {
      this.#distancesMs = await this.#read()
    } catch (error) {
      this.#attempts = undefined
      if (!this.#database.ending) this.#log.warn({ err: error }, 'attempts to compare could not be read')
    }
  }

  /**
   * Returns the percentage of the latest attempts that were farther from their target.
   *
   * @param difference - The attempt's difference, in seconds.
   * @returns undefined while there are too few attempts
   */
  closerThan(difference: number): number | undefined {
    const { length } = this.#distancesMs
    if (length < ENOUGH_ATTEMPTS) return undefined
    const distanceMs = Math.abs(toMs(difference))
    const farther = this.#distancesMs.filter(otherMs => otherMs > distanceMs).length
    return Math.floor((100 * farther) / length)
  }

  /** Leaves out unverified attempts, which state any time. */
  async #read(): Promise<number[]> {
    const { rows } = await this.#database.query<{ difference: number }>({
      name: 'compared_attempts',
      text: `
        select difference
        from (select difference, verified from attempts order by id desc limit ${COMPARED_ATTEMPTS}) as latest
        where verified`,
    })
    return rows.map(({ difference }) => Math.abs(toMs(difference)))
  }
}

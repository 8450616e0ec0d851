import type { ClientBase } from 'pg'
import { shared } from '../lib/batch.ts'
import type { Logger } from '../log.ts'
import type { Database } from './pool.ts'

/** What is known of the clock may be so old while rounds are played: clocks are set at any moment. */
const MEASURE_EVERY_MS = 5_000
/** A look at the pool, besides: a database that cannot show it has no game. */
const READ = 'select extract(epoch from clock_timestamp())::float8 * 1000 as now from prize_pool'

/**
 * How far the database's clock is ahead of this machine's, ms: anywhere between the two, since nobody knows when between
 * question and answer the database looked at its clock.
 */
export interface ClockOffset {
  readonly leastMs: number
  readonly mostMs: number
}

/**
 * Asks a database of the game what time it is.
 *
 * @throws the database's error
 */
export async function measureClock(database: Pick<ClientBase, 'query'>): Promise<ClockOffset> {
  const askedAt = Date.now()
  const { rows } = await database.query<{ now: number }>(READ)
  // Cut to whole milliseconds: the answer may have come nearly one later.
  const answeredAt = Date.now() + 1
  const now = rows[0]?.now ?? Number.NaN
  return { leastMs: now - answeredAt, mostMs: now - askedAt }
}

/**
 * Whether a clock is close enough to the database's; null when the answer took so long that nobody can tell.
 *
 * @param toleranceMs ≤ 0 for any clock
 */
export function isClose({ leastMs, mostMs }: ClockOffset, toleranceMs: number): boolean | null {
  if (toleranceMs <= 0) return true
  if (leastMs > toleranceMs || mostMs < -toleranceMs) return false
  return leastMs >= -toleranceMs && mostMs <= toleranceMs ? true : null
}

/** In whole ms, the middle of what is possible; negative when this machine's clock is ahead. */
export function middleOf({ leastMs, mostMs }: ClockOffset): number {
  return Math.round((leastMs + mostMs) / 2)
}

/** "3600000 ms behind the database's" */
export function inWords(offset: ClockOffset): string {
  const ms = middleOf(offset)
  return `${Math.abs(ms)} ms ${ms < 0 ? 'ahead of' : 'behind'} the database's`
}

/**
 * Knows whether this node's clock goes with the database's, and so with those of the other nodes. A round may start on one
 * node and stop on another, each of which looks at its own clock: if they differ, honest attempts are doubted, or over before
 * they were made, and a script need not wait.
 */
export class ClockCheck {
  readonly #toleranceMs: number
  readonly #log: Pick<Logger, 'error' | 'info'>
  /** Monotonic, ms. */
  #askedAt = Number.NEGATIVE_INFINITY
  #fault: string | null = null

  /**
   * Measures now; many who ask at once cost one look.
   *
   * @throws the database's error; what was known is still so then
   */
  readonly measure: () => Promise<ClockOffset>

  constructor(database: Database, toleranceMs: number, log: Pick<Logger, 'error' | 'info'>) {
    this.#toleranceMs = toleranceMs
    this.#log = log
    this.measure = shared(async () => {
      this.#askedAt = performance.now()
      const offset = await measureClock(database)
      this.#judge(offset)
      return offset
    })
  }

  /** What is wrong with the clock, as far as is known; null for nothing. */
  get fault(): string | null {
    return this.#fault
  }

  /** As `fault`, and has it measured for those who come next, once that was some seconds ago. */
  keepLooking(): string | null {
    const isOld = performance.now() - this.#askedAt >= MEASURE_EVERY_MS
    // Whoever plays finds out by themselves that there is no database.
    if (isOld) void this.measure().catch(() => undefined)
    return this.#fault
  }

  #judge(offset: ClockOffset): void {
    const close = isClose(offset, this.#toleranceMs)
    if (close === null || close === (this.#fault === null)) return
    this.#fault = close ? null : `The clock of this node is ${inWords(offset)}`
    if (close) return void this.#log.info("the clock agrees with the database's again: rounds are taken")
    const advice = 'no rounds are taken until they agree within CLOCK_TOLERANCE_MS: synchronise them (NTP)'
    this.#log.error(`the clock is ${inWords(offset)}: ${advice}`)
  }
}

import type { Acknowledged } from '../../tests/support/answers.ts'
import type { Random } from '../../tests/support/random.ts'
import type { HttpConnection } from './connection.ts'

/** What a seat notes down for the audit that follows. */
export interface Notes {
  readonly random: Random
  /** Every attempt that was answered as recorded. */
  readonly acknowledged: Acknowledged[]
}

/** One player of the crowd, with cookies of its own, at whatever game. */
export interface Seat {
  /** Comes to the page for the first time. */
  join(connection: HttpConnection): Promise<void>
  start(connection: HttpConnection): Promise<void>
  /** Stops; resolves when the attempt is acknowledged. */
  stop(connection: HttpConnection): Promise<void>
  /** What a player does now and then between two rounds. */
  rest(connection: HttpConnection): Promise<void>
}

/** People who stop a hidden clock spread by about a tenth of the time they wait. */
const SPREAD = 0.1

/** When a person stops who aims at a target; ms, at least one. */
export function aim(targetMs: number, random: Random): number {
  return Math.max(1, Math.round(random.normal(targetMs, SPREAD * targetMs)))
}

import { TARGET_MAX_MS, WIN_TOLERANCE_MS } from './rules.ts'

/**
 * The page measures `actual`, the time between two presses. The server reads the database's clock after the
 * arrivals of Start and Stop; a much longer `actual` cannot win (docs/decisions/0023-heartbeat.md).
 */

/** The default tolerance: the most by which `actual` may exceed the server's time (`record_batch.sql`). */
export const CLOCK_TOLERANCE_MS = 750

/** How early the page may send Stop. The rest of the tolerance covers a new leader with another clock. */
export const SPENDABLE_MS = 500

/**
 * Returns the earliest time at which an attempt can be sent without looking too fast, whatever the network
 * delay. Attempts too long to win need not wait.
 *
 * @param startAnsweredAt - The time when the answer to Start arrived, monotonic, ms.
 * @returns a monotonic time, ms
 */
export function sendableAt(startAnsweredAt: number, actualMs: number): number {
  if (actualMs > TARGET_MAX_MS + WIN_TOLERANCE_MS) return startAnsweredAt
  return startAnsweredAt + actualMs - SPENDABLE_MS
}

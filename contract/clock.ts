import { TARGET_MAX_MS, WIN_TOLERANCE_MS } from './rules.ts'

/**
 * The two clocks of an attempt. The page measures `actual` from press to press. The server stamps the arrival of
 * Start and of Stop; time that has not passed for the server cannot have passed for the page.
 *
 * A request takes its way, and not always as long. When Start takes d₁ there and r₁ back, Stop d₂, and Stop leaves
 * as soon as Start's answer is there, the server sees max(actual, d₁ + r₁) + d₂ − d₁. So an honest attempt looks
 * too fast when d₁ − d₂ is above the tolerance: when Start alone had to open its connection, wait in a queue or be
 * sent again. `sendableAt` closes that gap.
 */

/** How much less time may pass for the server than an attempt claims, unless the operator says otherwise. */
export const CLOCK_TOLERANCE_MS = 750

/** What the page makes use of; the rest is for rounding, and for nodes that know the database's clock a little differently. */
export const SPENDABLE_MS = 500

/**
 * True when less time has passed for the server than the attempt claims, by more than the tolerance.
 *
 * @param elapsedMs from the stamp of Start to the arrival of Stop, by the database's clock; negative when it was set back
 */
export function isTooFast(elapsedMs: number, actualMs: number, toleranceMs: number): boolean {
  return elapsedMs < actualMs - toleranceMs
}

/**
 * When an attempt may leave the page and is not taken for too fast, whatever its requests go through: the stamp is
 * older than its answer, so enough time has passed for the server by then. Up to a round trip of half a second it is
 * before the Stop itself, and nobody waits. Being late costs nothing.
 *
 * An attempt that is too long to win has nothing to lose and need not wait.
 *
 * @param startAnsweredAt when the answer to Start arrived, ms of a monotonic clock
 * @returns ms of the same clock
 */
export function sendableAt(startAnsweredAt: number, actualMs: number): number {
  if (actualMs > TARGET_MAX_MS + WIN_TOLERANCE_MS) return startAnsweredAt
  return startAnsweredAt + actualMs - SPENDABLE_MS
}

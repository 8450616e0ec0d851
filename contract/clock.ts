import { TARGET_MAX_MS, WIN_TOLERANCE_MS } from './rules.ts'

/**
 * The two clocks of an attempt. The page measures `actual`, the time from press to press. The server notes when Start and
 * Stop arrive: an attempt cannot have taken longer than the time between the two.
 *
 * The delays of requests differ. When Start takes d₁ to arrive and its answer r₁ to come back, Stop takes d₂ to arrive, and
 * the page sends Stop once Start is answered, the server sees max(actual, d₁ + r₁) + d₂ − d₁ pass. So an honest attempt
 * looks too fast when d₁ − d₂ is above the tolerance: when Start alone had to open its connection, wait in a queue or be
 * sent again. To prevent that, the page sends an attempt no earlier than `sendableAt`.
 */

/** How much less time may pass for the server than the attempt claims. The default of the setting of this name. */
export const CLOCK_TOLERANCE_MS = 750

/**
 * The part of it that the page relies on. The rest allows for rounding, and for nodes whose estimates of the database's
 * clock differ.
 */
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
 * The earliest time to send an attempt so that it cannot look too fast, whatever delays its requests. The server noted
 * Start before it answered, so by this time enough has passed for it. With a round trip of up to half a second this is
 * before Stop, and nobody waits. Sending later costs nothing.
 *
 * An attempt that is too long to win has nothing to lose, and need not wait.
 *
 * @param startAnsweredAt when the answer to Start arrived, ms of a monotonic clock
 * @returns ms of the same clock
 */
export function sendableAt(startAnsweredAt: number, actualMs: number): number {
  if (actualMs > TARGET_MAX_MS + WIN_TOLERANCE_MS) return startAnsweredAt
  return startAnsweredAt + actualMs - SPENDABLE_MS
}

import { TARGET_MAX_MS, WIN_TOLERANCE_MS } from './rules.ts'

/**
 * The page measures `actual`, the time from press to press. The server notes when Start and Stop arrive. An
 * attempt cannot have taken longer than that.
 *
 * Start takes d₁ to arrive and r₁ to be answered; Stop takes d₂. The server sees max(actual, d₁ + r₁) + d₂ −
 * d₁ pass. An honest attempt looks too fast when d₁ − d₂ exceeds the tolerance, as when only Start opens a
 * connection. So the page sends an attempt no earlier than `sendableAt`.
 */

/** How much less time may pass for the server than the attempt claims; the setting's default. */
export const CLOCK_TOLERANCE_MS = 750

/** The part of the tolerance that the page relies on. Nodes whose clocks differ need the rest. */
export const SPENDABLE_MS = 500

/**
 * Whether the attempt claims more time than has passed for the server, beyond the tolerance.
 *
 * @param elapsedMs - From the stamp of Start to the arrival of Stop, by the database's clock; negative when it was set back
 */
export function isTooFast(elapsedMs: number, actualMs: number, toleranceMs: number): boolean {
  return elapsedMs < actualMs - toleranceMs
}

/**
 * The earliest time to send an attempt so that it cannot look too fast, whatever delays its requests. With a
 * round trip of up to half a second this is before Stop. An attempt that is too long to win need not wait.
 *
 * @param startAnsweredAt - When the answer to Start arrived, ms of a monotonic clock.
 * @returns ms of the same clock
 */
export function sendableAt(startAnsweredAt: number, actualMs: number): number {
  if (actualMs > TARGET_MAX_MS + WIN_TOLERANCE_MS) return startAnsweredAt
  return startAnsweredAt + actualMs - SPENDABLE_MS
}

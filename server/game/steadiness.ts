/** How many attempts are looked at: the newest ones. */
export const STEADINESS_WINDOW = 40

/**
 * A window with a standard deviation below this, in ms, is too steady for a person: a device adds about 3 ms, people who
 * repeat an interval spread by 15 ms and more. docs/decisions/0004-steadiness.md has the figures.
 */
const LIMIT_MS = 7

/**
 * True when these attempts are steadier than a person can be; false for fewer than a whole window. What counts is how far
 * they spread around their own mean: a script that always stops 60 ms late is as steady as one that is always exact.
 *
 * @param differencesMs signed whole ms; of more than a window, the last ones count
 */
export function isTooSteady(differencesMs: readonly number[]): boolean {
  const window = differencesMs.slice(-STEADINESS_WINDOW)
  if (window.length < STEADINESS_WINDOW) return false
  const mean = window.reduce((sum, difference) => sum + difference, 0) / window.length
  const squares = window.reduce((sum, difference) => sum + (difference - mean) ** 2, 0)
  return Math.sqrt(squares / (window.length - 1)) < LIMIT_MS
}

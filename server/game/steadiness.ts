/** How many attempts are judged: the newest ones. */
export const STEADINESS_WINDOW = 40

/**
 * A standard deviation below this, in ms, is too steady for a person: a device alone adds about 3 ms, and people who
 * repeat an interval spread by 15 ms or more (docs/decisions/0004-steadiness.md).
 */
const LIMIT_MS = 7

/**
 * True when these attempts are steadier than a person can be; false for fewer than a whole window. The spread around
 * their own mean counts: a script that always stops 60 ms late is as steady as one that is always exact.
 *
 * @param differencesMs signed whole ms, oldest first; only the last window counts
 */
export function isTooSteady(differencesMs: readonly number[]): boolean {
  const window = differencesMs.slice(-STEADINESS_WINDOW)
  if (window.length < STEADINESS_WINDOW) return false
  const mean = window.reduce((sum, difference) => sum + difference, 0) / window.length
  const squares = window.reduce((sum, difference) => sum + (difference - mean) ** 2, 0)
  return Math.sqrt(squares / (window.length - 1)) < LIMIT_MS
}

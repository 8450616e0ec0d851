/**
 * How steady a hand can be. A script that waits in real time passes every check of the clock; what gives the
 * plainest of them away is that they repeat themselves better than a person can.
 *
 * What counts is how far the signed differences spread around their own mean, not how close they come: a script
 * that always stops 60 ms late is as steady as one that is always exact, and a person who is always late by the
 * same reaction is not a script.
 *
 * - A device adds about 3 ms (input sampled at 125 Hz is uniform over 8 ms, a deviation of 2.3 ms), so a script
 *   stays near 0 to 5 ms.
 * - People who repeat an interval of 1 to 5 s spread by several percent of it, 30 ms and more, and still by 15 ms
 *   and more with the moving dot as a guide.
 *
 * The limit lies where both errors are rare. Of people with a deviation of 15 ms, the steadiest there may be,
 * 2 in 100,000 have a window under 7 ms somewhere in 1,000 attempts (500,000 simulated). Under 8 ms it would be
 * 1 in 1,000, because 1,000 attempts are 961 windows. Of scripts with a deviation of 5 ms, the least steady that
 * can be meant, 3 in 10,000 are above 7 ms in their first window, and the next windows get those.
 *
 * A script that spreads its stops like a person goes unseen. No rule on differences could see it.
 */

/** How many attempts are looked at: the newest ones. */
export const STEADINESS_WINDOW = 40

/** A window with a standard deviation below this, in ms, is too steady for a person. */
export const STEADINESS_LIMIT_MS = 7

/**
 * True when these attempts are steadier than a person can be; false for fewer than a whole window.
 *
 * @param differencesMs signed whole ms; of more than a window, the last ones count
 */
export function isTooSteady(differencesMs: readonly number[]): boolean {
  if (differencesMs.length < STEADINESS_WINDOW) return false
  return deviationMs(differencesMs.slice(-STEADINESS_WINDOW)) < STEADINESS_LIMIT_MS
}

/** The standard deviation of a sample (n − 1), in ms; 0 for fewer than two. */
export function deviationMs(differencesMs: readonly number[]): number {
  const { length } = differencesMs
  if (length < 2) return 0
  const mean = differencesMs.reduce((sum, difference) => sum + difference, 0) / length
  const squares = differencesMs.reduce((sum, difference) => sum + (difference - mean) ** 2, 0)
  return Math.sqrt(squares / (length - 1))
}

import type { Attempt } from '../../contract/api.ts'
import { judge } from '../../contract/rules.ts'
import { toMs } from '../../contract/time.ts'

/** The fewest rounds for a typical difference, because the median of fewer rounds is mostly chance. */
export const ENOUGH_ROUNDS = 5

type Judged = Pick<Attempt, 'difference' | 'verified'>

/**
 * Returns the best difference and the number of consecutive hits up to the latest attempt. Ignores unverified
 * attempts, unless all attempts are unverified.
 *
 * @param attempts - The attempts, newest first.
 */
export function recordOf(attempts: readonly Judged[]) {
  const verified = attempts.filter(attempt => attempt.verified)
  const counted = verified.length > 0 ? verified : attempts
  const firstMiss = counted.findIndex(({ difference }) => !judge(0, toMs(difference)).wins)
  return {
    bestMs: Math.min(...counted.map(({ difference }) => Math.abs(toMs(difference)))),
    streak: firstMiss === -1 ? counted.length : firstMiss,
  }
}

/** The largest difference that is announced as the best. */
export const BEST_WITHIN_MS = 300

/**
 * Returns true when the newest attempt has this difference and is closer than all others.
 *
 * @param attempts - The attempts, newest first.
 */
export function isBestYet(attempts: readonly Judged[], differenceMs: number): boolean {
  const [newest, ...others] = attempts
  if (!newest?.verified || toMs(newest.difference) !== differenceMs || others.length === 0) return false
  if (Math.abs(differenceMs) > BEST_WITHIN_MS) return false
  return recordOf(others).bestMs > Math.abs(differenceMs)
}

/** Returns the median difference, because one forgotten round would distort the mean. */
export function biasOf(differencesMs: readonly number[]): number {
  const sorted = differencesMs.toSorted((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)] ?? 0
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? 0
  return Math.round((lower + upper) / 2)
}

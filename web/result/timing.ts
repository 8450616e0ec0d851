/** The fewest rounds for a typical difference, because the median of fewer rounds is mostly chance. */
export const ENOUGH_ROUNDS = 5

/** The largest difference that is announced as the best. */
export const BEST_WITHIN_MS = 300

/** Returns the median difference, because one forgotten round would distort the mean. */
export function biasOf(differencesMs: readonly number[]): number {
  const sorted = differencesMs.toSorted((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)] ?? 0
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? 0
  return Math.round((lower + upper) / 2)
}

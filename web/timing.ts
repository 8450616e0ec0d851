import type { Attempt } from '../contract/api.ts'
import { judge } from '../contract/rules.ts'
import { toMs } from '../contract/time.ts'

/** How many rounds say something about a player: the median of fewer is mostly chance. */
export const ENOUGH_ROUNDS = 5

/** A player's record. */
export interface PlayerRecord {
  /** The smallest difference, in ms ≥ 0. */
  readonly bestMs: number
  /** How many of the latest attempts in a row were hits. */
  readonly streak: number
}

/**
 * The record of one or more attempts, oldest first. An attempt that was not verified is neither a hit nor a miss: it does
 * not break a streak and is not counted, unless there are no others.
 */
export function recordOf(attempts: readonly Pick<Attempt, 'difference' | 'verified'>[]): PlayerRecord {
  const verified = attempts.filter(attempt => attempt.verified)
  const counted = verified.length > 0 ? verified : attempts
  const hits = counted.map(({ difference }) => judge(0, toMs(difference)).wins)
  return {
    bestMs: Math.min(...counted.map(({ difference }) => Math.abs(toMs(difference)))),
    streak: hits.length - 1 - hits.lastIndexOf(false),
  }
}

/** A best result further off than this is not announced, in ms. */
export const BEST_WITHIN_MS = 300

/** Whether the newest of these attempts (newest first) has this difference, in ms, and is closer than all others. */
export function isBestYet(
  attempts: readonly Pick<Attempt, 'difference' | 'verified'>[],
  differenceMs: number,
): boolean {
  const [newest, ...others] = attempts
  if (!newest?.verified || toMs(newest.difference) !== differenceMs || others.length === 0) return false
  if (Math.abs(differenceMs) > BEST_WITHIN_MS) return false
  return recordOf(others).bestMs > Math.abs(differenceMs)
}

/** The typical signed difference, in ms. The median, since one forgotten round would outweigh all others in a mean. */
export function biasOf(differencesMs: readonly number[]): number {
  return Math.round(median(differencesMs))
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)] ?? 0
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? 0
  return (lower + upper) / 2
}

import type { Attempt } from '../contract/api.ts'
import { judge } from '../contract/rules.ts'
import { toMs } from '../contract/time.ts'
import { describeDifference, describeSpan } from './difference.ts'

/** How many rounds say something about a player: the median of fewer is mostly chance. */
export const ENOUGH_ROUNDS = 5

/** A player's record. */
export interface PlayerRecord {
  /** The smallest difference, in ms ≥ 0. */
  readonly bestMs: number
  /** How many of the latest attempts in a row were hits. */
  readonly streak: number
  /** The share of attempts that were hits, from 0 to 1. */
  readonly hitShare: number
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
    hitShare: hits.filter(Boolean).length / hits.length,
  }
}

/** A best result further off than this is not announced, in ms. */
const BEST_WITHIN_MS = 300

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

/** How a player stops: the typical difference and its spread. */
export interface Timing {
  readonly count: number
  /** The typical signed difference in ms; positive is late. */
  readonly biasMs: number
  /** About two thirds of the stops lie this close to the typical one; null for fewer than two attempts. */
  readonly spreadMs: number | null
}

/** Scales a normal distribution's median absolute deviation to its standard deviation. */
const NORMAL_CONSISTENCY = 1.4826

/**
 * Bias and spread of signed differences in ms. Median and median deviation rather than mean and standard
 * deviation: a single round forgotten for a minute would outweigh the other 29.
 */
export function timingOf(differencesMs: readonly number[]): Timing {
  const count = differencesMs.length
  if (count === 0) return { count, biasMs: 0, spreadMs: null }
  const bias = median(differencesMs)
  if (count === 1) return { count, biasMs: Math.round(bias), spreadMs: null }
  const deviation = median(differencesMs.map(difference => Math.abs(difference - bias)))
  return { count, biasMs: Math.round(bias), spreadMs: Math.round(deviation * NORMAL_CONSISTENCY) }
}

/** The sentence in three parts, of which the middle is coloured: "you stop", "21 ms late", "give or take …". */
export interface TimingSentence {
  readonly bias: string
  readonly spread: string | null
}

export function describeTiming({ biasMs, spreadMs }: Timing): TimingSentence {
  return {
    bias: describeDifference(biasMs),
    spread: spreadMs === null ? null : `give or take ${describeSpan(spreadMs)}`,
  }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)] ?? 0
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? 0
  return (lower + upper) / 2
}

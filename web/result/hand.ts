import { HAND_SIZE } from '../../contract/rules.ts'

export interface Hand {
  /** The differences of the hand's played rounds, oldest first, in ms. */
  readonly differencesMs: readonly number[]
  /** The averages of the absolute differences; null until the hand is complete. */
  readonly averages: Averages | null
}

export interface Averages {
  readonly nowMs: number
  /** The average of the hand before; null for the first hand. */
  readonly beforeMs: number | null
}

/**
 * Returns the hand of the player's last round.
 *
 * @param rounds - The number of the last round; null while unknown, which gives the last rounds as one hand.
 * @param differencesMs - The differences so far, newest first.
 */
export function handOf(rounds: number | null, differencesMs: readonly number[]): Hand {
  const played = rounds === null || rounds === 0 ? HAND_SIZE : ((rounds - 1) % HAND_SIZE) + 1
  const hand = differencesMs.slice(0, played)
  const isComplete = rounds !== null && hand.length === HAND_SIZE
  return { differencesMs: hand.toReversed(), averages: isComplete ? averagesOf(differencesMs) : null }
}

/** Returns the differences of the hand with a result that may not be recorded yet, oldest first. */
export function handWith(
  differenceMs: number,
  rounds: number | null,
  differencesMs: readonly number[],
): readonly number[] {
  if (differencesMs[0] === differenceMs) return handOf(rounds, differencesMs).differencesMs
  return handOf(rounds === null ? null : rounds + 1, [differenceMs, ...differencesMs]).differencesMs
}

function averagesOf(differencesMs: readonly number[]): Averages {
  const before = differencesMs.slice(HAND_SIZE, 2 * HAND_SIZE)
  return {
    nowMs: averageOf(differencesMs.slice(0, HAND_SIZE)),
    beforeMs: before.length === HAND_SIZE ? averageOf(before) : null,
  }
}

function averageOf(differencesMs: readonly number[]): number {
  const total = differencesMs.reduce((sum, difference) => sum + Math.abs(difference), 0)
  return Math.round(total / differencesMs.length)
}

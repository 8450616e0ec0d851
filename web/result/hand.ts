import type { Attempt } from '../../contract/api.ts'
import { HAND_SIZE } from '../../contract/rules.ts'
import { toMs } from '../../contract/time.ts'

export interface Hand {
  /** The differences of the hand's played rounds, oldest first, in ms. */
  readonly differencesMs: readonly number[]
  /** The averages of the absolute differences; null unless all five rounds are known and verified. */
  readonly averages: Averages | null
}

export interface Averages {
  readonly nowMs: number
  /** The average of the hand before; null for none. */
  readonly beforeMs: number | null
}

/** A hand of five verified rounds. */
export interface CompleteHand {
  /** The ID of the fifth attempt. */
  readonly id: number
  /** The name of the fifth attempt. */
  readonly username: string
  readonly averageMs: number
}

type Played = Pick<Attempt, 'id' | 'username' | 'difference' | 'verified'>

/**
 * Returns the hand of the player's last round.
 *
 * @param rounds - The number of the last round; null while unknown, which gives the last rounds as one hand.
 * @param attempts - The attempts so far, newest first.
 */
export function handOf(rounds: number | null, attempts: readonly Played[]): Hand {
  const differences = attempts.map(({ difference }) => toMs(difference))
  const [now, before] = rounds === null || rounds % HAND_SIZE > 0 ? [] : slicesOf(rounds, attempts)
  const nowMs = averageOf(now)
  return {
    differencesMs: lastHand(rounds, differences),
    averages: nowMs === null ? null : { nowMs, beforeMs: averageOf(before) },
  }
}

/** Returns the differences of the hand with a result that may not be recorded yet, oldest first. */
export function handWith(
  differenceMs: number,
  rounds: number | null,
  differencesMs: readonly number[],
): readonly number[] {
  if (differencesMs[0] === differenceMs) return lastHand(rounds, differencesMs)
  return lastHand(rounds === null ? null : rounds + 1, [differenceMs, ...differencesMs])
}

/** Returns the complete hands among the attempts, newest first. */
export function completeHands(rounds: number | null, attempts: readonly Played[]): CompleteHand[] {
  return slicesOf(rounds ?? 0, attempts).flatMap(hand => {
    const [fifth] = hand
    const averageMs = averageOf(hand)
    return fifth === undefined || averageMs === null
      ? []
      : [{ id: fifth.id, username: fifth.username, averageMs }]
  })
}

/** Cuts the attempts into the hands that have ended, newest first. The oldest one may be incomplete. */
function slicesOf(rounds: number, attempts: readonly Played[]): (readonly Played[])[] {
  const ended = attempts.slice(rounds % HAND_SIZE, rounds)
  const count = Math.ceil(ended.length / HAND_SIZE)
  return Array.from({ length: count }, (_, at) => ended.slice(at * HAND_SIZE, (at + 1) * HAND_SIZE))
}

function lastHand(rounds: number | null, differencesMs: readonly number[]): readonly number[] {
  const played = rounds === null || rounds === 0 ? HAND_SIZE : ((rounds - 1) % HAND_SIZE) + 1
  return differencesMs.slice(0, played).toReversed()
}

/** Returns null unless the hand has five rounds, all verified. */
function averageOf(hand: readonly Played[] = []): number | null {
  if (hand.length < HAND_SIZE || !hand.every(({ verified }) => verified)) return null
  const total = hand.reduce((sum, { difference }) => sum + Math.abs(toMs(difference)), 0)
  return Math.round(total / HAND_SIZE)
}

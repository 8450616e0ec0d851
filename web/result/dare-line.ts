import { formatDifference } from '../../contract/time.ts'
import type { Dare } from '../round/against.ts'
import { nameOf, type Piece } from './piece.ts'

/** How a result or a hand compares with a dare: the player was closer, as close, or less close. */
export type Outcome = 'beaten' | 'tie' | 'missed'

/** @param distanceMs - The absolute difference of a result, or the average of a hand. */
export function outcomeOf({ differenceMs }: Dare, distanceMs: number): Outcome {
  if (distanceMs === differenceMs) return 'tie'
  return distanceMs < differenceMs ? 'beaten' : 'missed'
}

/** Returns whether nothing more can be done about the dare: beaten, or met by a perfect tie. */
export function endsDare(dare: Dare, distanceMs: number): boolean {
  return distanceMs < dare.differenceMs || distanceMs === 0
}

/** Asks to beat the dare. */
export function invitation({ kind, by, differenceMs }: Dare): readonly Piece[] {
  const figure = formatDifference(differenceMs)
  if (kind === 'hand') return [nameOf(by), { text: `'s five: ${figure} s average. Closer?` }]
  if (differenceMs === 0) return [nameOf(by), { text: ' hit it exactly. You too?' }]
  return [nameOf(by), { text: ` was ${figure} s off the target. Closer?` }]
}

/** Compares a result with the dare, in a sentence. */
export function resultLine(dare: Dare, distanceMs: number): readonly Piece[] {
  const by = formatDifference(dare.differenceMs - distanceMs)
  const name = nameOf(dare.by)
  const lines: Record<Outcome, readonly Piece[]> = {
    beaten: [{ text: 'You beat ' }, name, { text: ` by ${by} s` }],
    tie: distanceMs === 0 ? [{ text: 'You hit it exactly too' }] : [{ text: 'As close as ' }, name],
    missed: [name, { text: ` was ${by} s closer` }],
  }
  return lines[outcomeOf(dare, distanceMs)]
}

/** Compares a hand with the dare, after the hand's average. */
export function handTail(dare: Dare, averageMs: number): readonly Piece[] {
  const by = formatDifference(dare.differenceMs - averageMs)
  const name = nameOf(dare.by)
  const tails: Record<Outcome, readonly Piece[]> = {
    beaten: [{ text: ', you beat ' }, name, { text: ` by ${by} s` }],
    tie: [{ text: ', as close as ' }, name],
    missed: [{ text: ', ' }, name, { text: ` was ${by} s closer` }],
  }
  return tails[outcomeOf(dare, averageMs)]
}

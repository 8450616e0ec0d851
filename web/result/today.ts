import type { Today } from '../../contract/api.ts'
import { TODAY_SIZE } from '../../contract/rules.ts'
import { toMs } from '../../contract/time.ts'
import type { CompleteHand } from './hand.ts'

type Row = Today['today'][number]

/** Who reads today's list. */
export interface Reader {
  /** The user's name; null for a guest. */
  readonly username: string | null
  /** The player's own hands, which tell guests of one name apart. */
  readonly hands: readonly CompleteHand[]
}

/** Returns whether a row is the reader's own. */
export function isOwnRow(row: Row, { username, hands }: Reader): boolean {
  if (!row.is_guest) return row.username === username
  return hands.some(hand => hand.username === row.username && hand.averageMs === toMs(row.average))
}

/** The place of a hand in today's list; null for none, `open` while the list may still bring one. */
export type Place = number | 'open' | null

/**
 * Finds the place of the reader's hand that has just ended.
 *
 * @param today - The rows of the list; null while unknown, as from a node without the list.
 */
export function placeOf(today: readonly Row[] | null, averageMs: number, reader: Reader): Place {
  if (today === null) return null
  const own = today.findIndex(row => isOwnRow(row, reader))
  const listedMs = averageAt(today, own)
  if (listedMs === averageMs) return own + 1
  const lastMs = averageAt(today, TODAY_SIZE - 1)
  return Math.min(listedMs, lastMs) <= averageMs ? null : 'open'
}

/** Returns the average of a row, in ms; infinite for a row that is not there. */
function averageAt(today: readonly Row[], index: number): number {
  const row = today[index]
  return row === undefined ? Number.POSITIVE_INFINITY : toMs(row.average)
}

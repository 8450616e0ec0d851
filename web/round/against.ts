import type { LastWin, PrizePool } from '../../contract/api.ts'

/** What a friend asks to beat. Both parts are text from a stranger. */
export interface Dare {
  /** Whether the difference is that of one result, or the average of a hand. */
  readonly kind: 'result' | 'hand'
  readonly differenceMs: number
  readonly by: string
}

/** What a result is compared with. */
export interface Against {
  /** The best before the result, in ms; null while unknown, and in the first round. */
  readonly bestBeforeMs: number | null
  /** The friend's result that this one meets, or null. */
  readonly dare: Dare | null
  /** The pool at Stop; null while unknown. */
  readonly poolAtStop: PrizePool | null
  /** The win with which another player has taken this pool since Stop, or null. */
  readonly taker: LastWin | null
}

/** Adds the first win since Stop, which may be the player's own. */
export function withTaker(against: Against, pool: PrizePool | null): Against {
  const { poolAtStop, taker } = against
  const win = pool?.last_win ?? null
  if (poolAtStop === null || taker !== null || win === null) return against
  return win.created_at > (poolAtStop.last_win?.created_at ?? '') ? { ...against, taker: win } : against
}

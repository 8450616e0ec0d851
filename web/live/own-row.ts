import type { Leaderboard, User } from '../../contract/api.ts'
import { HIDDEN_NAME } from '../../contract/name.ts'
import type { PageSession } from '../session/session.ts'

/**
 * Finds the user's own row by name. Finds a masked row by rank, or by balance when the rank is outdated.
 *
 * @returns the index; -1 when the user is not on the board
 */
export function findOwnRow(rows: Leaderboard['leaderboard'], user: User, rank: PageSession['rank']): number {
  const named = rows.findIndex(({ username }) => username === user.username)
  if (named !== -1 || typeof rank !== 'number' || rank > rows.length) return named
  const isMasked = (index: number) =>
    rows[index]?.username === HIDDEN_NAME && rows[index].taps_balance === user.taps_balance
  return isMasked(rank - 1) ? rank - 1 : rows.findIndex((_, index) => isMasked(index))
}

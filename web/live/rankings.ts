import type { Leaderboard, User } from '../../contract/api.ts'
import { HIDDEN_NAME } from '../../contract/name.ts'
import { LEADERBOARD_SIZE } from '../../contract/rules.ts'
import type { PageSession } from '../session/session.ts'

type Rows = Leaderboard['leaderboard']

export interface Ranked {
  /** A React key that stays the same while the row moves. */
  readonly key: string
  readonly username: string
  readonly taps: number
  /** `claim` marks the row that a claim would give the player. */
  readonly kind: 'other' | 'own' | 'claim'
}

export interface Claim {
  readonly username: string
  readonly taps: number
  /** Whether the claim has been made, not only offered. */
  readonly isClaimed: boolean
}

/**
 * Ranks the rows. An offered claim gets an extra row. A claim that was made replaces the player's own row until
 * the live board contains the claim.
 *
 * @param own - The index of the player's own row; -1 when the player is not on the board.
 */
export function rank(rows: Rows, own: number, claim: Claim | null): readonly Ranked[] {
  const ranked = rows.map((row, index) => toRanked(row, index, own))
  if (claim === null) return ranked
  const { username, taps, isClaimed } = claim
  const place = findClaimRow(rows, taps, own)
  const isOnBoard = isClaimed && (rows[own]?.taps_balance ?? 0) >= taps
  if (place === -1 || isOnBoard) return ranked
  const others = isClaimed ? ranked.filter((_, index) => index !== own) : ranked
  const row = isClaimed
    ? ({ key: OWN_KEY, username, taps, kind: 'own' } as const)
    : ({ key: 'claim', username, taps, kind: 'claim' } as const)
  return [...others.slice(0, place), row, ...others.slice(place)].slice(0, LEADERBOARD_SIZE)
}

const OWN_KEY = 'own'

/** Sets a row's key to its name, or to its index if masked. A fixed key lets the player's own row move. */
function toRanked({ username, taps_balance }: Rows[number], index: number, own: number): Ranked {
  const isOwn = index === own
  const name = username === HIDDEN_NAME ? `#${index}` : `name ${username}`
  return {
    key: isOwn ? OWN_KEY : name,
    username,
    taps: taps_balance,
    kind: isOwn ? 'own' : 'other',
  }
}

/**
 * Finds the player's row after a claim. Puts the row below equal balances, because the page does not know
 * which account is older.
 *
 * @param taps - The balance after the claim.
 * @returns the index of the new row; -1 when the row would not be shown
 */
export function findClaimRow(rows: Rows, taps: number, own: number): number {
  const above = rows.filter((row, index) => index !== own && row.taps_balance >= taps).length
  return above < LEADERBOARD_SIZE ? above : -1
}

/**
 * Finds the user's own row by name. Finds a masked row by rank, or by balance when the rank is outdated.
 *
 * @returns the index; -1 when the user is not on the board
 */
export function findOwnRow(rows: Rows, user: User, rank: PageSession['rank']): number {
  const named = rows.findIndex(({ username }) => username === user.username)
  if (named !== -1 || typeof rank !== 'number' || rank > rows.length) return named
  const isMasked = (index: number) =>
    rows[index]?.username === HIDDEN_NAME && rows[index].taps_balance === user.taps_balance
  return isMasked(rank - 1) ? rank - 1 : rows.findIndex((_, index) => isMasked(index))
}

import type { Leaderboard } from '../../contract/api.ts'
import { HIDDEN_NAME } from '../../contract/name.ts'
import { LEADERBOARD_SIZE } from '../../contract/rules.ts'
import { formatOrdinal, formatTaps } from '../lib/format.ts'

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
  /** The balance after the claim. */
  readonly taps: number
  /** Whether the claim has been made, not only offered. */
  readonly isClaimed: boolean
}

/**
 * Ranks the rows, one for each person. A claim moves the player's own row; a player outside the board gets a row
 * of their own, and the last place stays in view until the claim is made. The claim stands below equal balances,
 * because the page does not know which account is older.
 *
 * @param ownName - The user's name; undefined for a guest.
 */
export function rank(
  rows: Leaderboard['leaderboard'],
  ownName: string | undefined,
  claim: Claim | null,
): readonly Ranked[] {
  const ranked = rows.map(
    ({ username, taps_balance }, index): Ranked => ({
      key: username === HIDDEN_NAME ? `#${index}` : `name ${username}`,
      username,
      taps: taps_balance,
      kind: username === ownName ? 'own' : 'other',
    }),
  )
  if (claim === null) return ranked
  const { username, taps, isClaimed } = claim
  const own = ranked.find(({ kind }) => kind === 'own')
  const place = ranked.filter(row => row !== own && row.taps >= taps).length
  if (isClaimed && own !== undefined && own.taps >= taps) return ranked
  if (place >= LEADERBOARD_SIZE) return ranked
  const others = ranked.filter(row => row !== own)
  // A guest's name may be another player's.
  const key = own?.key ?? (isClaimed ? `name ${username}` : 'claim')
  const row: Ranked = { key, username, taps, kind: isClaimed ? 'own' : 'claim' }
  const all = others.toSpliced(place, 0, row)
  return isClaimed ? all.slice(0, LEADERBOARD_SIZE) : all
}

/** Describes a user's rank, and what is missing to the top ten, where an older account keeps its place at equal balances. */
export function describeRank(rank: number, balance: number, rows: Leaderboard['leaderboard']): string {
  const tenth = rows[LEADERBOARD_SIZE - 1]?.taps_balance ?? 0
  const isOutside = rank > LEADERBOARD_SIZE && balance <= tenth
  const missing = isOutside ? `, ${formatTaps(tenth - balance + 1)} to the top ten` : ''
  return `You are ${formatOrdinal(rank)}${missing}.`
}

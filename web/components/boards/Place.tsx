import type { CSSProperties } from 'react'
import { LEADERBOARD_SIZE } from '../../../contract/rules.ts'

/** The height of a user's own rank below the list, with the gap above the rank, in rows. */
export const OWN_RANK_ROWS = 1.33

/** Shows a rank. A new key per rank lets the number fade in while the row moves. */
export function Place({ rank }: { rank: number }) {
  return (
    <span key={rank} className="place">
      {rank}
    </span>
  )
}

/** Places a row of a list. */
export function placed(index: number): CSSProperties {
  return { transform: `translateY(${100 * index}%)` }
}

/** Shares a list's height among its rows. Narrow screens keep room for the own rank in every list. */
export function slots(rows: number, showsRank: boolean): CSSProperties {
  const most = LEADERBOARD_SIZE + OWN_RANK_ROWS
  const shown = showsRank ? most : Math.max(rows, LEADERBOARD_SIZE)
  return { '--slots': shown, '--most-slots': most } as CSSProperties
}

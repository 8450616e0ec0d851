import { HIDDEN_NAME } from '../../contract/name.ts'
import { LEADERBOARD_SIZE, RANK_LIMIT } from '../../contract/rules.ts'
import { formatTaps } from '../format.ts'
import type { Live } from '../live.ts'
import { findOwnRow } from '../own-row.ts'
import type { PageSession } from '../session.ts'
import { useSettled } from './useSettled.ts'
import { usePart } from './useStore.ts'
import './board.css'
import './Leaderboard.css'

/** The players with the most TAPS, and the rank of a logged-in player who is not among them. */
export function Leaderboard({ live, session }: { live: Live; session: PageSession }) {
  const { user, rank } = session
  const rows = usePart(live, ({ parts }) => parts.leaderboard)?.leaderboard ?? null
  const calm = useSettled(rows)
  const own = rows === null || user === null ? -1 : findOwnRow(rows, user, rank)
  const showsRank = user !== null && user.taps_balance > 0 && rows !== null && own === -1
  return (
    <section className="card board" aria-label="Leaderboard">
      <h2 className="label">Leaderboard</h2>
      {rows?.length === 0 && <p className="empty">No one here yet. Claim a prize to be first.</p>}
      <ol
        className="rows ranks"
        data-calm={calm}
        data-loading={rows === null}
        style={{ height: `calc(${rows?.length ?? LEADERBOARD_SIZE} * var(--place))` }}
      >
        {rows?.map(({ username, taps_balance }, index) => (
          <li
            // A name's row moves with it; masked names are not unique.
            key={username === HIDDEN_NAME ? `#${index}` : username}
            className="row rank"
            data-own={index === own}
            style={{ transform: `translateY(${100 * index}%)` }}
          >
            <span className="place">{index + 1}</span>
            <bdi className="name">{username}</bdi>
            <span className="taps">{formatTaps(taps_balance)}</span>
          </li>
        ))}
      </ol>
      {showsRank && <p className="own-rank">{describeRank(rank)}</p>}
    </section>
  )
}

function describeRank(rank: PageSession['rank']): string {
  if (rank === 'unknown') return ''
  return `Your rank: ${rank === null ? `beyond ${formatTaps(RANK_LIMIT)}` : formatTaps(rank)}`
}

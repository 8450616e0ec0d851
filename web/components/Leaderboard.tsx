import { LEADERBOARD_SIZE, RANK_LIMIT } from '../../contract/rules.ts'
import { formatTaps } from '../format.ts'
import type { Live } from '../live.ts'
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
  const isOnBoard = rows?.some(({ username }) => username === user?.username)
  const showsRank = user !== null && user.taps_balance > 0 && rows !== null && !isOnBoard
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
            key={username}
            className="row rank"
            data-own={username === user?.username}
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

import type { Leaderboard as Board } from '../../../contract/api.ts'
import { LEADERBOARD_SIZE, RANK_LIMIT } from '../../../contract/rules.ts'
import { decorate } from '../../feel/decorate.ts'
import { prefersReducedMotion } from '../../feel/motion.ts'
import { formatTaps } from '../../lib/format.ts'
import type { Live } from '../../live/live.ts'
import { type Claim, rank as rankRows } from '../../live/rankings.ts'
import type { PageSession } from '../../session/session.ts'
import { useSettled } from '../hooks/useSettled.ts'
import { usePart } from '../hooks/useStore.ts'
import { OWN_RANK_ROWS, Place, placed, slots } from './Place.tsx'

interface Props {
  live: Live
  /** The session; null in board mode, which has no player. */
  session: PageSession | null
  claim: Claim | null
  /** What an empty leaderboard says. */
  empty?: string
}

/** Shows the top ten of all time. A user outside the top ten gets a row below. */
export function AllTimeList({
  live,
  session,
  claim,
  empty = 'No one here yet. Claim a prize to be first.',
}: Props) {
  const user = session?.user ?? null
  const rank = session?.rank ?? null
  const rows = usePart(live, ({ parts }) => parts.leaderboard)?.leaderboard ?? null
  const calm = useSettled(rows)
  const ranked = rankRows(rows ?? NO_ROWS, user?.username, claim)
  const isAmong = ranked.some(({ kind }) => kind !== 'other')
  const showsRank = user !== null && user.taps_balance > 0 && rows !== null && !isAmong
  return (
    <>
      {rows !== null && ranked.length === 0 && <p className="empty">{empty}</p>}
      <ol
        className="rows ranks"
        data-calm={calm || claim !== null}
        data-loading={rows === null}
        style={slots(ranked.length, showsRank)}
      >
        {ranked.map(({ key, username, taps, kind }, index) => (
          <li key={key} ref={unfold} className="row rank" data-kind={kind} style={placed(index)}>
            <Place rank={index + 1} />
            <bdi className="name">{username}</bdi>
            {kind === 'claim' && <span className="tag">if you claim</span>}
            <span className="taps">{formatTaps(taps)}</span>
          </li>
        ))}
        {showsRank && (
          <li className="row rank" data-kind="own" style={placed(LEADERBOARD_SIZE - 1 + OWN_RANK_ROWS)}>
            <OwnPlace rank={rank} />
            <bdi className="name">{user.username}</bdi>
            <span className="taps">{formatTaps(user.taps_balance)}</span>
          </li>
        )}
      </ol>
    </>
  )
}

const NO_ROWS: Board['leaderboard'] = []

const UNFOLD = { duration: 300, easing: 'ease-in-out' }

/**
 * Unfolds the row of a claim when React creates the row. `@starting-style` would also apply whenever React moves
 * the row in the document.
 */
function unfold(row: HTMLLIElement | null): void {
  if (!row?.matches('[data-kind="claim"]') || prefersReducedMotion()) return
  decorate(() => row.animate({ clipPath: ['inset(0 0 100%)', 'inset(0)'] }, UNFOLD))
}

function OwnPlace({ rank }: { rank: PageSession['rank'] }) {
  if (rank === 'unknown') return <span className="place" />
  const [before, limit, after] = rank === null ? ['beyond ', RANK_LIMIT, '+'] : ['', rank, '']
  return (
    <span className="place">
      <span className="visually-hidden">{`Your rank: ${before}`}</span>
      <span>{formatTaps(limit) + after}</span>
    </span>
  )
}

import type { CSSProperties, ReactNode } from 'react'
import type { Leaderboard as Board } from '../../../contract/api.ts'
import { LEADERBOARD_SIZE, RANK_LIMIT } from '../../../contract/rules.ts'
import type { App, GameProps } from '../../app.ts'
import { decorate } from '../../feel/decorate.ts'
import { prefersReducedMotion } from '../../feel/motion.ts'
import { BOARD_HASH } from '../../lib/board-hash.ts'
import { formatTaps } from '../../lib/format.ts'
import type { Live } from '../../live/live.ts'
import { type Claim, rank as rankRows } from '../../live/rankings.ts'
import type { PageSession } from '../../session/session.ts'
import { IconButton } from '../controls/IconButton.tsx'
import { useSettled } from '../hooks/useSettled.ts'
import { usePart, useStore } from '../hooks/useStore.ts'

const SCREEN = 'M3.5 5h17v11h-17zM9 20h6M12 16v4'

/** The height of the user's own rank, with the gap above the rank, in rows. */
const OWN_RANK_ROWS = 1.33

/** Shows the leaderboard to a player, who can open board mode. */
export function PlayerLeaderboard({ app, session }: GameProps) {
  const claim = useClaim(app, session)
  const openBoardMode = () => {
    location.hash = BOARD_HASH
  }
  return (
    <Leaderboard live={app.live} session={session} claim={claim}>
      <IconButton name="Board mode" path={SCREEN} onPress={openBoardMode} />
    </Leaderboard>
  )
}

/** Returns the claim that is offered or has just been made, or null. */
function useClaim({ shown, guests }: App, { user, prize }: PageSession): Claim | null {
  const isOffered = usePart(
    shown,
    ({ view, isNewAccount }) => view === 'claim' && (isNewAccount || user !== null),
  )
  const claimed = usePart(shown, ({ claimed }) => claimed)
  const guest = useStore(guests.guest)
  const { username, taps_balance } = claimed?.user ?? user ?? guest
  if (claimed !== null) return { username, taps: taps_balance, isClaimed: true }
  return isOffered && prize !== null ? { username, taps: taps_balance + prize.taps, isClaimed: false } : null
}

interface Props {
  live: Live
  /** The session; null in board mode, which has no player. */
  session: PageSession | null
  claim: Claim | null
  /** What an empty leaderboard says. */
  empty?: string
  /** What stands next to the heading. */
  children?: ReactNode
}

/** Shows the top ten. A user outside the top ten gets a row below. */
export function Leaderboard({
  live,
  session,
  claim,
  empty = 'No one here yet. Claim a prize to be first.',
  children,
}: Props) {
  const user = session?.user ?? null
  const rank = session?.rank ?? null
  const rows = usePart(live, ({ parts }) => parts.leaderboard)?.leaderboard ?? null
  const calm = useSettled(rows)
  const ranked = rankRows(rows ?? NO_ROWS, user?.username, claim)
  const isAmong = ranked.some(({ kind }) => kind !== 'other')
  const showsRank = user !== null && user.taps_balance > 0 && rows !== null && !isAmong
  return (
    <section className="card board" aria-label="Leaderboard">
      <div className="heading">
        <h2 className="label">Leaderboard</h2>
        {children}
      </div>
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
    </section>
  )
}

const NO_ROWS: Board['leaderboard'] = []

function slots(rows: number, showsRank: boolean): CSSProperties {
  const most = LEADERBOARD_SIZE + OWN_RANK_ROWS
  const shown = showsRank ? most : Math.max(rows, LEADERBOARD_SIZE)
  return { '--slots': shown, '--most-slots': most } as CSSProperties
}

const UNFOLD = { duration: 300, easing: 'ease-in-out' }

/**
 * Unfolds the row of a claim when React creates the row. `@starting-style` would also apply whenever React moves
 * the row in the document.
 */
function unfold(row: HTMLLIElement | null): void {
  if (!row?.matches('[data-kind="claim"]') || prefersReducedMotion()) return
  decorate(() => row.animate({ clipPath: ['inset(0 0 100%)', 'inset(0)'] }, UNFOLD))
}

function placed(index: number): CSSProperties {
  return { transform: `translateY(${100 * index}%)` }
}

/** Shows a rank. A new key per rank lets the number fade in while the row moves. */
function Place({ rank }: { rank: number }) {
  return (
    <span key={rank} className="place">
      {rank}
    </span>
  )
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

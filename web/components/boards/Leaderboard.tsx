import { type ReactNode, useState } from 'react'
import type { App, GameProps } from '../../app.ts'
import { BOARD_HASH } from '../../lib/board-hash.ts'
import type { BoardList } from '../../live/board-choice.ts'
import type { Claim } from '../../live/rankings.ts'
import type { PageSession } from '../../session/session.ts'
import { IconButton } from '../controls/IconButton.tsx'
import { Tabs } from '../controls/Tabs.tsx'
import { usePart, useStore } from '../hooks/useStore.ts'
import { AllTimeList } from './AllTimeList.tsx'
import { TodayList } from './TodayList.tsx'

const SCREEN = 'M3.5 5h17v11h-17zM9 20h6M12 16v4'

const LISTS = { 'all-time': 'All time', today: 'Today' } as const satisfies Record<BoardList, string>

/** Shows a list of the best under its heading. */
export function Board({ name, head, children }: { name: string; head?: ReactNode; children: ReactNode }) {
  return (
    <section className="card board" aria-label={name}>
      <div className="heading">
        <h2 className="label">{name}</h2>
        {head}
      </div>
      {children}
    </section>
  )
}

/** Shows the leaderboard to a player, who can switch to today's list and open board mode. */
export function PlayerLeaderboard({ app, session }: GameProps) {
  const [list, choose] = useList(app)
  const claim = useClaim(app, session)
  const openBoardMode = () => {
    location.hash = BOARD_HASH
  }
  const head = (
    <>
      <Tabs
        label="Leaderboard"
        tabs={LISTS}
        chosen={list}
        onChoose={choose}
        className="board-tabs"
        panel="board-panel"
      />
      <IconButton name="Board mode" path={SCREEN} onPress={openBoardMode} />
    </>
  )
  return (
    <Board name="Leaderboard" head={head}>
      <div id="board-panel" className="board-panel" role="tabpanel" aria-labelledby={`tab-${list}`}>
        {list === 'all-time' && <AllTimeList live={app.live} session={session} claim={claim} />}
        {list === 'today' && <OwnToday app={app} session={session} />}
      </div>
    </Board>
  )
}

function OwnToday({ app: { live, myAttempts }, session: { user } }: GameProps) {
  const hands = useStore(myAttempts.hands)
  return <TodayList live={live} reader={{ username: user?.username ?? null, hands }} />
}

/** Returns the list to show, and a function that chooses one. A claim shows its own list until the player chooses. */
function useList({ shown, boardChoice: { chosen, choose } }: App): [BoardList, (list: BoardList) => void] {
  const isClaim = usePart(shown, ({ view, claimed }) => view === 'claim' || claimed !== null)
  const [hasChosen, setHasChosen] = useState(false)
  if (hasChosen && !isClaim) setHasChosen(false)
  const list = useStore(chosen)
  const onChoose = (next: BoardList) => {
    setHasChosen(isClaim)
    choose(next)
  }
  return [isClaim && !hasChosen ? 'all-time' : list, onChoose]
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

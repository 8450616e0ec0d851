import type { App } from '../../app.ts'
import { canHighlightWin } from '../../round/round.ts'
import { UserBar } from '../account/UserBar.tsx'
import { PlayerLeaderboard } from '../boards/Leaderboard.tsx'
import { RecentAttempts } from '../boards/RecentAttempts.tsx'
import { usePart, useStore } from '../hooks/useStore.ts'
import { useElapsed } from '../hooks/useTime.ts'
import { GameCard } from '../stage/GameCard.tsx'
import { Loading } from './Loading.tsx'

/** The longest time that the page stays dimmed while the player may be counting; exceeds every target. */
const QUIET_MS = 10_000

/** The setting `ABOUT_URL`, which the server writes into the page's head. */
const ABOUT_URL = document.querySelector<HTMLMetaElement>('meta[name="about"]')?.content

export function Page({ app }: { app: App }) {
  const { session, waiting } = useStore(app.session.state)
  const running = usePart(app.shown, ({ round }) => (round.phase === 'running' ? round : null))
  const isLong = useElapsed(running, QUIET_MS)
  const highlightsWins = usePart(app.shown, canHighlightWin)
  if (session === null) return <Loading waiting={waiting} />

  return (
    <div className="page" data-quiet={running !== null && !isLong}>
      <UserBar app={app} session={session} />
      <main className="main">
        <GameCard app={app} session={session} />
        <div className="boards">
          <PlayerLeaderboard app={app} session={session} />
          <RecentAttempts live={app.live} highlightsWins={highlightsWins} myAttempts={app.myAttempts} />
        </div>
      </main>
      {ABOUT_URL && (
        <footer className="foot">
          <a href={ABOUT_URL}>About</a>
        </footer>
      )}
    </div>
  )
}

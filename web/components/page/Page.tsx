import type { App } from '../../app.ts'
import { canHighlightWin } from '../../round/round.ts'
import { UserBar } from '../account/UserBar.tsx'
import { Leaderboard } from '../boards/Leaderboard.tsx'
import { RecentAttempts } from '../boards/RecentAttempts.tsx'
import { useQuiet } from '../hooks/useQuiet.ts'
import { usePart, useStore } from '../hooks/useStore.ts'
import { GameCard } from '../stage/GameCard.tsx'
import { Foot } from './Foot.tsx'
import { Loading } from './Loading.tsx'

export function Page({ app }: { app: App }) {
  const { live, shown } = app
  const { session, waiting, holdEndsAt } = useStore(app.session.state)
  const view = usePart(shown, ({ view }) => view)
  const isQuiet = useQuiet(usePart(shown, ({ round }) => round.phase === 'running'))
  const highlightsWins = usePart(shown, canHighlightWin)
  if (session === null) return <Loading waiting={waiting} />

  return (
    <div className="page" data-quiet={isQuiet}>
      <UserBar app={app} session={session} holdEndsAt={holdEndsAt} view={view} />
      <main className="main">
        <GameCard app={app} session={session} holdEndsAt={holdEndsAt} view={view} />
        <div className="boards">
          <Leaderboard live={live} app={app} session={session} />
          <RecentAttempts live={live} highlightsWins={highlightsWins} myAttempts={app.myAttempts} />
        </div>
      </main>
      <Foot />
    </div>
  )
}

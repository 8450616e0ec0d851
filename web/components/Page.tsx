import type { App } from '../app.ts'
import { GameCard } from './GameCard.tsx'
import { Leaderboard } from './Leaderboard.tsx'
import { Loading } from './Loading.tsx'
import { RecentAttempts } from './RecentAttempts.tsx'
import { UserBar } from './UserBar.tsx'
import { useStore } from './useStore.ts'
import './Page.css'

/** The one screen, in the mode the game is in. What a press does not change is memoised. */
export function Page({ app }: { app: App }) {
  const { game, live } = app
  const { session, unreachable, holdEndsAt } = useStore(app.session.state)
  const state = useStore(game.state)
  const later = useStore(app.later)
  const { view, round } = state
  if (session === null) return <Loading unreachable={unreachable} />

  return (
    <div className="page">
      <UserBar app={app} session={session} holdEndsAt={holdEndsAt} state={state} />
      {view === 'main' && (
        <main className="main">
          <GameCard app={app} session={session} state={state} />
          <div className="boards">
            <Leaderboard live={live} session={session} />
            <RecentAttempts live={live} />
          </div>
        </main>
      )}
      {view !== 'main' && (
        <main className="main main--narrow">
          {later === null && <p className="loading">Loading...</p>}
          {later !== null && view === 'login' && (
            <later.LoginForm accounts={app.accounts} onCancel={() => game.show('main')} />
          )}
          {later !== null && view === 'claim' && (
            <later.ClaimView app={app} session={session} round={round} holdEndsAt={holdEndsAt} />
          )}
        </main>
      )}
    </div>
  )
}

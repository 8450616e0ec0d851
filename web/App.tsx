import { openAccountMenu } from './account-menu.ts'
import type { Parts } from './assemble.ts'
import { ClaimView } from './ClaimView.tsx'
import { GameCard } from './GameCard.tsx'
import { Leaderboard } from './Leaderboard.tsx'
import { Loading } from './Loading.tsx'
import { LoginForm } from './LoginForm.tsx'
import { RecentAttempts } from './RecentAttempts.tsx'
import { UserBar } from './UserBar.tsx'
import { useStore } from './useStore.ts'

/** The one screen, in the mode the game is in. */
export function App(parts: Parts) {
  const { session, unreachable, holdEndsAt } = useStore(parts.session.state)
  const state = useStore(parts.game.state)
  const guest = useStore(parts.guests.guest)
  const { game, accounts } = parts
  if (session === null) return <Loading unreachable={unreachable} />

  return (
    <div className="page">
      <UserBar
        senses={parts.senses}
        user={session.user}
        guest={guest}
        prize={session.prize}
        view={state.view}
        onRename={parts.guests.rename}
        onLogin={() => game.show('login')}
        onLogout={accounts.logout}
        onClaim={() => game.show('claim')}
        onAccount={() => openAccountMenu(parts)}
      />
      {state.view === 'main' && (
        <main className="main">
          <GameCard parts={parts} session={session} state={state} />
          <div className="boards">
            <Leaderboard live={parts.live} user={session.user} rank={session.rank} />
            <RecentAttempts live={parts.live} />
          </div>
        </main>
      )}
      {state.view === 'login' && (
        <main className="main main--narrow">
          <LoginForm accounts={accounts} onCancel={() => game.show('main')} />
        </main>
      )}
      {state.view === 'claim' && (
        <main className="main main--narrow">
          <ClaimView
            accounts={accounts}
            session={session}
            guestName={guest.username}
            round={state.round}
            holdEndsAt={holdEndsAt}
            onKeepPlaying={() => game.show('main')}
          />
        </main>
      )}
    </div>
  )
}

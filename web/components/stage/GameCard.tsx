import type { App } from '../../app.ts'
import type { View } from '../../round/game.ts'
import type { PageSession } from '../../session/session.ts'
import { LoginForm } from '../account/LoginForm.tsx'
import { PrizePool } from '../boards/PrizePool.tsx'
import { ClaimView } from '../claim/ClaimView.tsx'
import { useGlide } from '../hooks/useGlide.ts'
import { useStore } from '../hooks/useStore.ts'
import { Latest } from './Latest.tsx'
import { PlayButton } from './PlayButton.tsx'
import { Stage } from './Stage.tsx'
import { Timing } from './Timing.tsx'

interface Props {
  app: App
  session: PageSession
  /** The end of a guest's hold, in ms since the page's time origin, or null. */
  holdEndsAt: number | null
  view: View
}

/** Shows the pool, the stage and the button, in the same places in every mode. */
export function GameCard({ app, session, holdEndsAt, view }: Props) {
  const { game, live, myAttempts } = app
  const state = useStore(app.shown)
  const { round, sending, changing, won, celebrating } = state
  const { user, prize } = session
  const glides = useGlide(app.guests.isFirstVisit)
  const isOwnWin = view === 'claim' && user !== null && prize !== null && won !== null
  return (
    <div className="card game" data-form={view === 'claim' && user === null && prize !== null}>
      <PrizePool live={live} shown={app.shown} />
      {(view === 'main' || isOwnWin) && (
        <Stage app={app} state={state} held={isOwnWin ? prize.taps : null} glides={glides} />
      )}
      {view === 'main' && (
        <>
          <PlayButton
            round={round}
            won={celebrating ? won : null}
            disabled={round.phase !== 'running' && (sending || changing)}
            onPlay={game.press}
            onTakeBack={game.takeBack}
          />
          <Timing key={user?.id ?? 'guest'} myAttempts={myAttempts} />
          <Latest live={live} myAttempts={myAttempts} />
        </>
      )}
      {view === 'claim' && (
        <ClaimView app={app} session={session} holdEndsAt={holdEndsAt} isStaged={isOwnWin} />
      )}
      {view === 'login' && (
        <LoginForm
          accounts={app.accounts}
          guestName={app.guests.guest.get().username}
          onCancel={() => game.show('main')}
        />
      )}
    </div>
  )
}

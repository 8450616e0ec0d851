import { useState } from 'react'
import type { GameProps } from '../../app.ts'
import { LoginForm } from '../account/LoginForm.tsx'
import { PrizePool } from '../boards/PrizePool.tsx'
import { ClaimView } from '../claim/ClaimView.tsx'
import { useStore } from '../hooks/useStore.ts'
import { PlayButton } from './PlayButton.tsx'
import { Stage } from './Stage.tsx'
import { Timing } from './Timing.tsx'

/** Shows the pool, the stage and the button, in the same places in every mode. */
export function GameCard({ app, session: { user, prize }, session }: GameProps) {
  const state = useStore(app.shown)
  const { view, won } = state
  const [firstView] = useState(view)
  const [hasMoved, setHasMoved] = useState(false)
  if (view !== firstView && !hasMoved) setHasMoved(true)
  const isOwnWin = view === 'claim' && user !== null && prize !== null && won !== null
  return (
    <div
      className="card game"
      data-moved={hasMoved}
      data-form={view === 'claim' && (user !== null || prize === null) ? undefined : view}
    >
      <PrizePool app={app} session={session} />
      {(view === 'main' || isOwnWin) && <Stage app={app} state={state} held={isOwnWin ? prize.taps : null} />}
      {view === 'main' && (
        <>
          <PlayButton game={app.game} state={state} />
          <Timing key={user?.id ?? 'guest'} myAttempts={app.myAttempts} record={session.record} />
        </>
      )}
      {view === 'claim' && <ClaimView app={app} session={session} isStaged={isOwnWin} />}
      {view === 'login' && <LoginForm app={app} />}
    </div>
  )
}

import { useDeferredValue } from 'react'
import type { App } from '../app.ts'
import { coarseClockMessage } from '../messages.ts'
import type { PageSession } from '../session.ts'
import { PlayButton } from './PlayButton.tsx'
import { PrizePool } from './PrizePool.tsx'
import { Result } from './Result.tsx'
import { TargetTime } from './TargetTime.tsx'
import { Track } from './Track.tsx'
import { useStore } from './useStore.ts'
import { YourTiming } from './YourTiming.tsx'
import './GameCard.css'

interface Props {
  app: Pick<App, 'live' | 'game' | 'later' | 'myAttempts' | 'coarseStep'>
  session: PageSession
}

/**
 * Everything a round needs, in the order a player looks at it. Where the eyes are it shows a press at once, and all else once
 * that has been painted: a slow phone would take a quarter longer to show anything (`npm run bench:feel`).
 */
export function GameCard({ app, session }: Props) {
  const state = useStore(app.game.state)
  const { round, sending, changing, message, won, begun } = useDeferredValue(state)
  const coarseStep = useStore(app.coarseStep)
  const running = round.phase === 'running'
  const key = session.user?.id ?? 'guest'
  return (
    <div className="card game">
      <PrizePool live={app.live} later={app.later} />
      <TargetTime round={state.round} />
      <Track round={state.round} app={app} />
      <PlayButton running={running} disabled={!running && (sending || changing)} onPlay={app.game.press} />
      <Result
        round={round}
        message={message}
        won={won}
        app={app}
        begun={begun}
        hint={coarseStep === null ? null : coarseClockMessage(coarseStep)}
      />
      <YourTiming key={key} later={app.later} myAttempts={app.myAttempts} />
    </div>
  )
}

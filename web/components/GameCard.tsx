import type { App } from '../app.ts'
import type { PageSession } from '../session.ts'
import { PlayButton } from './PlayButton.tsx'
import { PrizePool } from './PrizePool.tsx'
import { Result } from './Result.tsx'
import { TargetTime } from './TargetTime.tsx'
import { Timing } from './Timing.tsx'
import { Track } from './Track.tsx'
import { useStore } from './useStore.ts'
import './GameCard.css'

interface Props {
  app: Pick<App, 'live' | 'game' | 'shown' | 'myAttempts'>
  session: PageSession
}

/** Everything a round needs, in the order in which a player looks at it. */
export function GameCard({ app, session }: Props) {
  const state = useStore(app.shown)
  const { round, sending, changing, won } = state
  const running = round.phase === 'running'
  const key = session.user?.id ?? 'guest'
  return (
    <div className="card game">
      <PrizePool live={app.live} game={app.game} />
      <TargetTime round={round} />
      <Track round={round} won={won} app={app} />
      <PlayButton running={running} disabled={!running && (sending || changing)} onPlay={app.game.press} />
      <Result state={state} myAttempts={app.myAttempts} />
      <Timing key={key} myAttempts={app.myAttempts} />
    </div>
  )
}

import { formatTime, toMs } from '../../../contract/time.ts'
import type { App } from '../../app.ts'
import { prizeTitle } from '../../lib/messages.ts'
import type { GameState } from '../../round/game.ts'
import type { RoundState } from '../../round/round.ts'
import { Result } from './Result.tsx'
import { Track } from './Track.tsx'

interface Props {
  app: App
  state: GameState
  /** All TAPS held, in claim mode; null in other modes. */
  held: number | null
}

export function Stage({ app, state, held }: Props) {
  const { round, won } = state
  const closeness = round.phase === 'stopped' ? round.judgement.feedback.closeness : undefined
  return (
    <div className="stage" data-closeness={closeness} data-won={won !== null}>
      {held === null ? <TargetTime round={round} /> : <p className="target label">{prizeTitle(won, held)}</p>}
      <Track app={app} state={state} held={held} />
      <Result app={app} state={state} />
    </div>
  )
}

/** Shows the target, in large digits during a round. Screen readers announce the target at Start. */
function TargetTime({ round }: { round: RoundState }) {
  return (
    <section className="target" aria-label="Target Time" data-running={round.phase === 'running'}>
      <h2 className="label">Target Time</h2>
      <p className="target-live" aria-live="polite" aria-atomic="true">
        <span className="target-line">
          <span className="target-time">{shownTarget(round)}</span> <span className="unit">seconds</span>
        </span>
      </p>
    </section>
  )
}

function shownTarget(round: RoundState): string {
  if (round.phase === 'running') return formatTime(toMs(round.round.target_time))
  if (round.phase === 'stopped') return formatTime(round.targetMs)
  return '–.––'
}

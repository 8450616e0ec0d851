import { formatTime, toMs } from '../../../contract/time.ts'
import type { RoundState } from '../../round/round.ts'

/** Shows the target, in large digits during a round. Screen readers announce the target at Start. */
export function TargetTime({ round }: { round: RoundState }) {
  const shown = shownTarget(round)
  return (
    <section className="target" aria-label="Target Time" data-running={round.phase === 'running'}>
      <h2 className="label">Target Time</h2>
      <p className="target-live" aria-live="polite" aria-atomic="true">
        <span className="target-line">
          <span className="target-time">{shown}</span> <span className="unit">seconds</span>
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

import { formatTime, toMs } from '../../contract/time.ts'
import type { RoundState } from '../round.ts'

/** The target, shown from Start on, and announced, since players must know it to aim at it. */
export function TargetTime({ round }: { round: RoundState }) {
  const shown = shownTarget(round)
  // A new element for each target, so that another width does not count as a shift.
  return (
    <section className="target" aria-label="Target Time">
      <h2 className="label">Target Time</h2>
      <p className="figure" aria-live="polite">
        <span key={shown}>
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

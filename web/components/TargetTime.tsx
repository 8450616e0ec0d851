import { formatTime, toMs } from '../../contract/time.ts'
import type { RoundState } from '../round.ts'

/** The target, shown from Start on; announced, since it has to be known to be aimed at. */
export function TargetTime({ round }: { round: RoundState }) {
  const shown = shownTarget(round)
  // Set anew for each target: a figure of another width is not the old one moved.
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

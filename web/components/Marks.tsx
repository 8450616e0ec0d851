import { TRACK_LOOP_MS, WIN_TOLERANCE_MS } from '../../contract/rules.ts'
import { formatSigned } from '../../contract/time.ts'
import type { Stopped } from '../round.ts'
import './Marks.css'

/**
 * The result on the rail, visual only: the dot where it was stopped, the target with its tolerance, and a bracket between
 * them. A dot that was stopped after it left the rail stands at the end where it left.
 */
export function Marks({ result: { targetMs, actualMs, judgement } }: { result: Stopped }) {
  const isBeyond = actualMs > TRACK_LOOP_MS
  const dotMs = Math.min(actualMs, TRACK_LOOP_MS)
  const isLate = actualMs > targetMs
  return (
    <div className="rail" aria-hidden="true">
      <div className="band-mark" style={between(targetMs - WIN_TOLERANCE_MS, targetMs + WIN_TOLERANCE_MS)} />
      <div className="tick" style={between(targetMs, targetMs)} />
      <div className="dot dot--still" style={{ transform: `translateX(${share(dotMs)})` }} />
      <div
        className="bracket"
        data-side={isLate ? 'late' : 'early'}
        data-open={isBeyond}
        style={between(Math.min(dotMs, targetMs), isBeyond ? BEYOND_MS : Math.max(dotMs, targetMs))}
      />
      {isBeyond && <div className="beyond" data-off={`${formatSigned(judgement.differenceMs)} s`} />}
    </div>
  )
}

/** A bracket that continues beyond the rail ends a little past it. */
const BEYOND_MS = TRACK_LOOP_MS + 150

function between(fromMs: number, toMs: number): { left: string; width: string } {
  return { left: share(fromMs), width: share(toMs - fromMs) }
}

function share(ms: number): string {
  return `${((100 * ms) / TRACK_LOOP_MS).toFixed(2)}%`
}

import { TRACK_LOOP_MS, WIN_TOLERANCE_MS } from '../../contract/rules.ts'
import { formatSigned } from '../../contract/time.ts'
import type { Stopped } from '../round.ts'
import './Marks.css'

/**
 * The result on the rail, for the eye: the dot where it was stopped, the target with what is as good as it, and a bracket
 * over what lies between. Who stops after the dot has left sees it at the end where it left.
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

/** A bracket that goes on runs a little past the end of the rail. */
const BEYOND_MS = TRACK_LOOP_MS + 150

function between(fromMs: number, toMs: number): { left: string; width: string } {
  return { left: share(fromMs), width: share(toMs - fromMs) }
}

function share(ms: number): string {
  return `${((100 * ms) / TRACK_LOOP_MS).toFixed(2)}%`
}

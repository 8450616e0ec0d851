import { TRACK_LOOP_MS, WIN_TOLERANCE_MS } from '../../contract/rules.ts'
import type { Stopped } from '../round.ts'
import './Marks.css'

/**
 * The result on the rail, for the eye: the dot where it was stopped, the target with what is as good as it, and a bracket
 * over what lies between. The dot crosses anew every five seconds: a bracket from an earlier crossing runs off the right end
 * and comes in from the left, and the dot says which crossing it is in.
 */
export function Marks({ result: { targetMs, actualMs } }: { result: Stopped }) {
  const loops = Math.floor(actualMs / TRACK_LOOP_MS)
  const dotMs = actualMs % TRACK_LOOP_MS
  const isLate = actualMs > targetMs
  return (
    <div className="rail" aria-hidden="true">
      <div className="band-mark" style={between(targetMs - WIN_TOLERANCE_MS, targetMs + WIN_TOLERANCE_MS)} />
      <div className="tick" style={between(targetMs, targetMs)} />
      <div className="dot dot--still" style={{ transform: `translateX(${share(dotMs)})` }} />
      {loops === 0 ? (
        <div
          className="bracket"
          data-side={isLate ? 'late' : 'early'}
          style={between(Math.min(dotMs, targetMs), Math.max(dotMs, targetMs))}
        />
      ) : (
        <>
          <div className="bracket" data-side="late" data-end="off" style={between(targetMs, BEYOND_MS)} />
          <div className="bracket" data-side="late" data-end="on" style={between(-PAST_END_MS, dotMs)} />
          <div
            className="loop"
            data-side={dotMs > TRACK_LOOP_MS / 2 ? 'left' : 'right'}
            data-loop={`loop ${loops + 1}`}
            style={between(dotMs, dotMs)}
          />
        </>
      )}
    </div>
  )
}

/** How far a bracket runs past an end of the rail, to show that it goes on. */
const PAST_END_MS = 150
const BEYOND_MS = TRACK_LOOP_MS + PAST_END_MS

function between(fromMs: number, toMs: number): { left: string; width: string } {
  return { left: share(fromMs), width: share(toMs - fromMs) }
}

function share(ms: number): string {
  return `${((100 * ms) / TRACK_LOOP_MS).toFixed(2)}%`
}

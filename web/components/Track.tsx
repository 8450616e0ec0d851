import { useLayoutEffect, useRef } from 'react'
import { TRACK_LOOP_MS } from '../../contract/rules.ts'
import { formatTime } from '../../contract/time.ts'
import type { RoundState } from '../round.ts'
import { ShareButton } from './ShareButton.tsx'
import './Track.css'

/** While the round runs, a dot that crosses over and over; otherwise the elapsed time. */
export function Track({ round }: { round: RoundState }) {
  return (
    <section className="track" aria-label="Track">
      {round.phase === 'running' ? (
        <Dot startedAt={round.startedAt} />
      ) : (
        <p className="elapsed">{formatTime(round.phase === 'stopped' ? round.actualMs : 0)}</p>
      )}
      {round.phase === 'stopped' && <ShareButton result={round} />}
    </section>
  )
}

function Dot({ startedAt }: { startedAt: number }) {
  const ref = useRef<HTMLDivElement>(null)
  // The dot began with the press, not with the frame that first shows it: both are on the same clock.
  useLayoutEffect(() => {
    for (const animation of ref.current?.getAnimations() ?? []) animation.startTime = startedAt
  }, [startedAt])
  return (
    <div className="rail">
      <span className="visually-hidden">Running</span>
      <div className="dot" ref={ref} style={{ animationDuration: `${TRACK_LOOP_MS}ms` }} />
    </div>
  )
}

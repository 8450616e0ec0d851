import { useLayoutEffect, useRef } from 'react'
import { TRACK_LOOP_MS } from '../../contract/rules.ts'
import { formatTime, toMs } from '../../contract/time.ts'
import type { App } from '../app.ts'
import type { RoundState, Running } from '../round.ts'
import { Marks } from './Marks.tsx'
import { ShareButton } from './ShareButton.tsx'
import './Track.css'

interface Props {
  round: RoundState
  /** The TAPS won by the result; null for none. */
  won: number | null
  app: Pick<App, 'live' | 'myAttempts'>
}

/** While the round runs, a dot that crosses again and again; afterwards the player's time, and where the dot was stopped. */
export function Track({ round, won, app }: Props) {
  const closeness = round.phase === 'stopped' ? round.judgement.feedback.closeness : undefined
  return (
    <section className="track" aria-label="Track" data-closeness={closeness}>
      {round.phase === 'idle' && <p className="elapsed">{formatTime(0)}</p>}
      {round.phase === 'running' && <MovingDot running={round} />}
      {round.phase === 'stopped' && (
        <>
          <p className="figure-above">{formatTime(round.actualMs)}</p>
          <Marks result={round} />
          <ShareButton result={round} won={won} live={app.live} myAttempts={app.myAttempts} />
        </>
      )}
    </section>
  )
}

/** The target above the rail is visual only, near the dot; screen readers find it in its panel. */
function MovingDot({ running }: { running: Running }) {
  const { startedAt, round } = running
  const dot = useRef<HTMLDivElement>(null)
  // The dot began with the press, not with the frame that first shows it: both are on the same clock.
  useLayoutEffect(() => {
    for (const animation of dot.current?.getAnimations() ?? []) animation.startTime = startedAt
  }, [startedAt])
  return (
    <>
      <span
        className="figure-above aim"
        aria-hidden="true"
        data-target={formatTime(toMs(round.target_time))}
      />
      <div className="rail">
        <span className="visually-hidden">Running</span>
        <div className="dot" ref={dot} style={{ animationDuration: `${TRACK_LOOP_MS}ms` }} />
      </div>
    </>
  )
}

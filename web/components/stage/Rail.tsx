import { type CSSProperties, memo, useLayoutEffect, useRef } from 'react'
import type { Attempt } from '../../../contract/api.ts'
import { TRACK_LOOP_MS, WIN_TOLERANCE_MS } from '../../../contract/rules.ts'
import { formatSigned, toMs } from '../../../contract/time.ts'
import { TOLERANCE } from '../../lib/messages.ts'
import type { MyAttempts } from '../../result/my-attempts.ts'
import { type Scale, scaleOf, WHOLE, ZOOM_REACH_MS } from '../../result/scale.ts'
import { biasOf, ENOUGH_ROUNDS } from '../../result/timing.ts'
import type { Running, Stopped } from '../../round/round.ts'
import { useStore } from '../hooks/useStore.ts'

const SAMPLE_MS = 3_360

/** The smallest target whose label would overlap the label at the right end of the rail. */
const OVERLAP_FROM_MS = 4_200

/** Shows the rail before a round. A sample band shows how close a win must be. */
export function WaitingRail() {
  return (
    <div className="rail" aria-hidden="true">
      <Ends scale={WHOLE} />
      <div
        className="band band--sample"
        style={place(WHOLE, SAMPLE_MS - WIN_TOLERANCE_MS, SAMPLE_MS + WIN_TOLERANCE_MS)}
      />
      <RailLabel at={WHOLE.shareOf(SAMPLE_MS)} text={`±${TOLERANCE} wins`} isWin />
      <div
        className="dot dot--waiting"
        style={{ '--sample': percent(WHOLE.shareOf(SAMPLE_MS)) } as CSSProperties}
      />
    </div>
  )
}

const LOOP: CSSProperties = { animationDuration: `${TRACK_LOOP_MS}ms` }

/** Shows the dot that crosses the rail repeatedly during a round. */
export function MovingDot({ running: { startedAt } }: { running: Running }) {
  const rail = useRef<HTMLDivElement>(null)
  // Starts the dot and its trail at the time of the press. Events and animations use the same clock.
  useLayoutEffect(() => {
    const animations = rail.current?.getAnimations({ subtree: true }) ?? []
    for (const animation of animations) animation.startTime = startedAt
  }, [startedAt])
  return (
    <div className="rail" ref={rail}>
      <span className="visually-hidden">Running</span>
      <div className="trail" style={LOOP} />
      <div className="dot dot--running" style={LOOP} />
    </div>
  )
}

/** Shows the result on the rail. Enlarges a close result, and adds the player's last attempts and their median. */
export const ResultRail = memo(function ResultRail({
  result,
  myAttempts,
}: {
  result: Stopped
  myAttempts: MyAttempts
}) {
  const { targetMs, actualMs, judgement } = result
  const scale = scaleOf(result)
  const isBeyond = actualMs > TRACK_LOOP_MS && scale === WHOLE
  const dotMs = isBeyond ? TRACK_LOOP_MS : actualMs
  const isLate = actualMs > targetMs
  return (
    <div className="rail" aria-hidden="true" data-zoomed={scale !== WHOLE}>
      <Ends scale={scale} hasRoom={scale !== WHOLE || targetMs < OVERLAP_FROM_MS} />
      <div className="band" style={place(scale, targetMs - WIN_TOLERANCE_MS, targetMs + WIN_TOLERANCE_MS)} />
      {scale !== WHOLE && <Ghosts result={result} scale={scale} myAttempts={myAttempts} />}
      <div className="tick" style={place(scale, targetMs)} />
      <RailLabel at={scale.shareOf(targetMs)} text={`±${TOLERANCE}`} isWin />
      {!judgement.wins && (
        <div
          className="bracket"
          data-side={isLate ? 'late' : 'early'}
          data-open={isBeyond}
          style={place(scale, Math.min(dotMs, targetMs), Math.max(dotMs, targetMs))}
        />
      )}
      <div className="dot dot--still" style={place(scale, dotMs)} />
      {isBeyond && <div className="beyond" data-text={`${formatSigned(judgement.differenceMs)} s`} />}
    </div>
  )
})

interface GhostsProps {
  result: Stopped
  scale: Scale
  myAttempts: MyAttempts
}

function Ghosts({ result, scale, myAttempts }: GhostsProps) {
  const attempts = useStore(myAttempts.attempts)
  const [newest] = attempts
  const others = newest !== undefined && isOf(newest, result) ? attempts.slice(1) : attempts
  const near = others.filter(({ difference }) => Math.abs(toMs(difference)) <= ZOOM_REACH_MS)
  const usualMs = biasOf(others.map(({ difference }) => toMs(difference)))
  return (
    <>
      {near.map(({ id, difference }) => (
        <div key={id} className="ghost" style={place(scale, result.targetMs + toMs(difference))} />
      ))}
      {others.length >= ENOUGH_ROUNDS && Math.abs(usualMs) <= ZOOM_REACH_MS && (
        <div className="usual" style={place(scale, result.targetMs + usualMs)} />
      )}
    </>
  )
}

function isOf({ target_time, actual_time }: Attempt, { targetMs, actualMs }: Stopped): boolean {
  return toMs(target_time) === targetMs && toMs(actual_time) === actualMs
}

/** Shows the ends of the rail. Without `hasRoom`, the band's label replaces the right label. */
export function Ends({ scale: { from, to }, hasRoom = true }: { scale: Scale; hasRoom?: boolean }) {
  return (
    <>
      <div className="end" style={{ left: '0%' }} />
      <div className="end" style={{ left: '100%' }} />
      <RailLabel at={0} text={from} isEnd />
      {hasRoom && <RailLabel at={1} text={to} isEnd />}
    </>
  )
}

interface RailLabelProps {
  at: number
  text: string
  isWin?: boolean
  isEnd?: boolean
}

/** Shows a label. CSS inserts the text, which the Track section must not contain. */
export function RailLabel({ at, text, isWin = false, isEnd = false }: RailLabelProps) {
  return (
    <div
      className="rail-label"
      data-text={text}
      data-win={isWin}
      data-end={isEnd}
      style={{ left: percent(at), '--at': at } as CSSProperties}
    />
  )
}

/** Positions a point or span. `--shift` is the offset, in percent, to the place on the unzoomed rail. */
export function place(scale: Scale, fromMs: number, toMs = fromMs): CSSProperties {
  const [left, right] = [scale.shareOf(fromMs), scale.shareOf(toMs)]
  const shift = 50 * (WHOLE.shareOf(fromMs) + WHOLE.shareOf(toMs) - left - right)
  return { left: percent(left), width: percent(right - left), '--shift': shift.toFixed(2) } as CSSProperties
}

function percent(share: number): string {
  return `${(100 * share).toFixed(2)}%`
}

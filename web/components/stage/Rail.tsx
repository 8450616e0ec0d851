import { type CSSProperties, memo, type ReactNode, useLayoutEffect, useRef } from 'react'
import { TRACK_LOOP_MS, WIN_TOLERANCE_MS } from '../../../contract/rules.ts'
import { toMs } from '../../../contract/time.ts'
import { TOLERANCE } from '../../messages.ts'
import type { MyAttempts } from '../../result/my-attempts.ts'
import { type Scale, scaleOf, WHOLE, ZOOM_REACH_MS } from '../../result/scale.ts'
import { biasOf, ENOUGH_ROUNDS } from '../../result/timing.ts'
import type { Running, Stopped } from '../../round/round.ts'
import { useStore } from '../hooks/useStore.ts'

/** The smallest target whose label would overlap the label at the right end of the rail. */
const OVERLAP_FROM_MS = 4_200

interface Props {
  scale: Scale
  targetMs: number
  label?: string
  isZoomed?: boolean
  children: ReactNode
}

/** Shows a rail with the band of a win around a target. */
export function Rail({ scale, targetMs, label = `±${TOLERANCE} wins`, isZoomed = false, children }: Props) {
  const isOverlapping = scale === WHOLE && targetMs >= OVERLAP_FROM_MS
  return (
    <div className="rail" aria-hidden="true" data-zoomed={isZoomed}>
      <Ends />
      <RailLabel at={0} text={scale.from} kind="end" />
      {!isOverlapping && <RailLabel at={1} text={scale.to} kind="end" />}
      <div className="band" style={place(scale, targetMs - WIN_TOLERANCE_MS, targetMs + WIN_TOLERANCE_MS)} />
      <div className="tick" style={place(scale, targetMs)} />
      <RailLabel at={scale.shareOf(targetMs)} text={label} kind="win" />
      {children}
    </div>
  )
}

/** Shows the rail before a round, without a scale. */
export function WaitingRail() {
  return (
    <div className="rail" aria-hidden="true">
      <Ends />
      <div className="dot dot--waiting" />
    </div>
  )
}

function Ends() {
  return (
    <>
      <div className="end" style={{ left: '0%' }} />
      <div className="end" style={{ left: '100%' }} />
    </>
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

interface ResultProps {
  result: Stopped
  myAttempts: MyAttempts
  /** The difference of a friend that the result has beaten, or null. */
  rivalMs: number | null
}

/** Shows the result on the rail. Enlarges a close result, and adds the player's last attempts and their median. */
export const ResultRail = memo(function ResultRail({ result, myAttempts, rivalMs }: ResultProps) {
  const { targetMs, actualMs, judgement } = result
  const scale = scaleOf(result)
  const isZoomed = scale !== WHOLE
  const isBeyond = actualMs > TRACK_LOOP_MS && !isZoomed
  const dotMs = isBeyond ? TRACK_LOOP_MS : actualMs
  return (
    <Rail scale={scale} targetMs={targetMs} label={`±${TOLERANCE}`} isZoomed={isZoomed}>
      {isZoomed && <Ghosts result={result} scale={scale} myAttempts={myAttempts} />}
      {rivalMs !== null && <Rival scale={scale} targetMs={targetMs} rivalMs={rivalMs} />}
      {!judgement.wins && (
        <div
          className="bracket"
          data-side={actualMs > targetMs ? 'late' : 'early'}
          data-open={isBeyond}
          style={place(scale, Math.min(dotMs, targetMs), Math.max(dotMs, targetMs))}
        />
      )}
      <div className="dot dot--still" style={place(scale, dotMs)} />
    </Rail>
  )
})

/** Shows the player's earlier attempts, and where the player usually stops. */
function Ghosts({
  result,
  scale,
  myAttempts,
}: Pick<ResultProps, 'result' | 'myAttempts'> & { scale: Scale }) {
  const { targetMs, actualMs } = result
  const attempts = useStore(myAttempts.attempts)
  const [newest] = attempts
  const isResult = newest && toMs(newest.target_time) === targetMs && toMs(newest.actual_time) === actualMs
  const all = attempts.map(({ id, difference }) => ({ id, ms: toMs(difference) }))
  const usualMs = biasOf(all.map(({ ms }) => ms))
  return (
    <>
      {all
        .slice(isResult ? 1 : 0)
        .filter(({ ms }) => Math.abs(ms) <= ZOOM_REACH_MS)
        .map(({ id, ms }) => (
          <div key={id} className="ghost" style={place(scale, targetMs + ms)} />
        ))}
      {all.length >= ENOUGH_ROUNDS && Math.abs(usualMs) <= ZOOM_REACH_MS && (
        <div className="usual" style={place(scale, targetMs + usualMs)} />
      )}
    </>
  )
}

/** Marks a friend's difference on both sides of the target, where the scale shows it. */
function Rival({ scale, targetMs, rivalMs }: { scale: Scale; targetMs: number; rivalMs: number }) {
  return [targetMs - rivalMs, targetMs + rivalMs]
    .filter(ms => scale.shareOf(ms) >= 0 && scale.shareOf(ms) <= 1)
    .map(ms => <div key={ms} className="rival" style={place(scale, ms)} />)
}

interface RailLabelProps {
  at: number
  text: string
  kind: 'win' | 'end'
}

/** Shows a label. CSS inserts the text, which the Track section must not contain. */
function RailLabel({ at, text, kind }: RailLabelProps) {
  const style = { left: percent(at), '--at': at } as CSSProperties
  return <div className="rail-label" data-text={text} data-kind={kind} style={style} />
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

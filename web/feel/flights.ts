import { TAPS_PER_ATTEMPT } from '../../contract/rules.ts'
import { formatTaps } from '../lib/format.ts'
import type { Store } from '../lib/store.ts'
import type { AtStake } from '../result/at-stake.ts'
import type { GameState } from '../round/game.ts'
import { PAYOUT_MS, prefersReducedMotion } from './motion.ts'

const FEED_MS = 450
const LANDING_MS = 200
const SHAKE_MS = 300
const BURST_MS = 400
const SPARKS = 10
const BURST_RADIUS = 40

interface Deps {
  readonly shown: Store<GameState>
  readonly stake: Store<AtStake | null>
}

/** Plays the movements that cross the page: a miss feeds the pool, a claim pays out, a lost pool shakes. */
export function playFlights({ shown, stake }: Deps): void {
  let last = shown.get()
  shown.subscribe(() => {
    const now = shown.get()
    if (isMissRecorded(last, now)) fly(`+${TAPS_PER_ATTEMPT}`, '.dot--still', '.pool-taps', FEED_MS)
    if (now.claimed !== null && last.claimed === null && now.claimed.taps > 0) {
      fly(formatTaps(now.claimed.taps), '.amount', '.balance', PAYOUT_MS, burst)
    }
    last = now
  })
  stake.subscribe(() => {
    if (stake.get()?.takenBy) shake('.pool .figure')
  })
}

type Answered = Pick<GameState, 'round' | 'sending' | 'view' | 'message'>

/** Returns true when the server has recorded the miss in view. */
export function isMissRecorded(last: Answered, { round, sending, view, message }: Answered): boolean {
  const isMiss = round.phase === 'stopped' && !round.judgement.wins
  return isMiss && last.sending && !sending && view === 'main' && message === null
}

interface Point {
  readonly x: number
  readonly y: number
}

/**
 * Moves a text between the middles of two elements. The first element may disappear immediately.
 *
 * @param onLanded - Receives the place where the text has landed.
 */
function fly(
  text: string,
  from: string,
  to: string,
  durationMs: number,
  onLanded?: (at: Point) => void,
): void {
  const start = middleOf(document.querySelector(`#root ${from}`))
  if (start === null || prefersReducedMotion()) return
  // Waits until the page contains the second element.
  requestAnimationFrame(() => {
    const target = document.querySelector(`#root ${to}`)
    const end = middleOf(target)
    if (end === null) return
    const keyframes = [start, end].map(({ x, y }) => ({ transform: `translate(${x}px, ${y}px)` }))
    const flight = animatePiece('flight', text, keyframes, { duration: durationMs, easing: 'ease-in' })
    void flight.finally(() => {
      target?.animate({ scale: [1, 1.12, 1] }, LANDING_MS)
      onLanded?.(end)
    })
  })
}

/** Sends sparks from a point in all directions. */
function burst({ x, y }: Point): void {
  for (let i = 0; i < SPARKS; i += 1) {
    const angle = (2 * Math.PI * i) / SPARKS
    const [toX, toY] = [x + BURST_RADIUS * Math.cos(angle), y + BURST_RADIUS * Math.sin(angle)]
    const keyframes = [
      { transform: `translate(${x}px, ${y}px)` },
      { transform: `translate(${toX}px, ${toY}px) scale(0)` },
    ]
    void animatePiece('spark', '', keyframes, { duration: BURST_MS, easing: 'ease-out' })
  }
}

/** Shows an element for the time of an animation. */
async function animatePiece(
  className: string,
  text: string,
  keyframes: Keyframe[],
  options: KeyframeAnimationOptions,
): Promise<void> {
  const piece = document.createElement('span')
  piece.className = className
  piece.ariaHidden = 'true'
  piece.textContent = text
  document.body.append(piece)
  await piece.animate(keyframes, options).finished.finally(() => piece.remove())
}

function middleOf(element: Element | null): Point | null {
  if (element === null) return null
  const { left, top, width, height } = element.getBoundingClientRect()
  return { x: left + width / 2, y: top + height / 2 }
}

function shake(selector: string): void {
  if (prefersReducedMotion()) return
  document
    .querySelector(`#root ${selector}`)
    ?.animate({ translate: ['0', '-4px', '4px', '-4px', '0'] }, SHAKE_MS)
}

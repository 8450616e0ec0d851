import { TAPS_PER_ATTEMPT } from '../../contract/rules.ts'
import { formatTaps } from '../lib/format.ts'
import type { Store } from '../lib/store.ts'
import type { AtStake } from '../result/at-stake.ts'
import type { GameState } from '../round/game.ts'
import { prefersReducedMotion } from './motion.ts'

const FEED_MS = 450
const PAYOUT_MS = 500
const LANDING_MS = 200
const SHAKE_MS = 300

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
      fly(formatTaps(now.claimed.taps), '.amount', '.balance', PAYOUT_MS)
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

/** Moves a text between the middles of two elements. The first element may disappear immediately. */
function fly(text: string, from: string, to: string, durationMs: number): void {
  const start = middleOf(document.querySelector(`#root ${from}`))
  if (start === null || prefersReducedMotion()) return
  // Waits until the page contains the second element.
  requestAnimationFrame(() => {
    const target = document.querySelector(`#root ${to}`)
    const end = middleOf(target)
    if (end === null) return
    const piece = document.createElement('span')
    piece.className = 'flight'
    piece.ariaHidden = 'true'
    piece.textContent = text
    document.body.append(piece)
    const keyframes = [start, end].map(({ x, y }) => ({ transform: `translate(${x}px, ${y}px)` }))
    const flight = piece.animate(keyframes, { duration: durationMs, easing: 'ease-in' })
    void flight.finished.finally(() => {
      piece.remove()
      target?.animate({ scale: [1, 1.12, 1] }, LANDING_MS)
    })
  })
}

function middleOf(element: Element | null): { x: number; y: number } | null {
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

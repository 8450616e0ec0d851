import { TAPS_PER_ATTEMPT } from '../../contract/rules.ts'
import { formatTaps } from '../lib/format.ts'
import type { Store } from '../lib/store.ts'
import type { GameState } from '../round/game.ts'
import { PAYOUT_MS, prefersReducedMotion } from './motion.ts'

const FEED_MS = 450
const LANDING_MS = 200

/** Plays the movements that cross the page: a miss feeds the pool, and a claim pays out. */
export function playFlights(shown: Store<GameState>): void {
  let last = shown.get()
  shown.subscribe(() => {
    const now = shown.get()
    if (isMissRecorded(last, now)) fly(`+${TAPS_PER_ATTEMPT}`, '.dot--still', '.pool-taps', FEED_MS)
    if (now.claimed !== null && last.claimed === null && now.claimed.taps > 0) {
      fly(formatTaps(now.claimed.taps), '.amount', '.balance', PAYOUT_MS)
    }
    last = now
  })
}

type Answered = Pick<GameState, 'round' | 'sending' | 'view' | 'message'>

/** Returns true when the server has recorded the miss in view. */
export function isMissRecorded(last: Answered, { round, sending, view, message }: Answered): boolean {
  const isMiss = round.phase === 'stopped' && !round.judgement.wins
  return isMiss && last.sending && !sending && view === 'main' && message === null
}

/** Moves a text between the middles of two elements. The first element may disappear immediately. */
function fly(text: string, from: string, to: string, duration: number): void {
  const start = middleOf(find(from))
  if (start === undefined || prefersReducedMotion()) return
  // Waits until the page contains the second element.
  requestAnimationFrame(() => {
    const target = find(to)
    const end = middleOf(target)
    if (end === undefined) return
    const piece = document.createElement('span')
    piece.className = 'flight'
    piece.ariaHidden = 'true'
    piece.textContent = text
    document.body.append(piece)
    piece.animate({ translate: [start, end] }, { duration, easing: 'ease-in' }).onfinish = () => {
      piece.remove()
      target?.animate({ scale: [1, 1.12, 1] }, LANDING_MS)
    }
  })
}

function find(selector: string): Element | null {
  return document.querySelector(`#root ${selector}`)
}

/** Returns the middle of an element, as a value of the CSS property `translate`. */
function middleOf(element: Element | null): string | undefined {
  const box = element?.getBoundingClientRect()
  return box && `${box.left + box.width / 2}px ${box.top + box.height / 2}px`
}

import { formatTaps } from '../lib/format.ts'
import type { Store } from '../lib/store.ts'
import type { GameState } from '../round/game.ts'
import { decorate } from './decorate.ts'
import { PAYOUT_MS, prefersReducedMotion } from './motion.ts'

const TICK_MS = 200
const BURST_MS = 400
const SPARKS = 10

/** Lets the pool's number tick, because the player's miss has just been added. */
export function tickPool(): void {
  if (!prefersReducedMotion()) tick(find('.pool-taps'))
}

function tick(number: Element | null): void {
  number?.animate({ scale: [1, 1.12, 1] }, TICK_MS)
}

/** Pays each claim out into the balance. */
export function payClaims(shown: Store<GameState>): void {
  shown.subscribe(({ claimed }, before) => {
    if (claimed === before.claimed || claimed === null || claimed.taps === 0) return
    const text = formatTaps(claimed.taps)
    decorate(() => fly(text, '.amount', '.balance'))
  })
}

/** Moves a text between the middles of two elements. The first element may disappear immediately. */
function fly(text: string, from: string, to: string): void {
  const start = middleOf(find(from))
  if (start === undefined || prefersReducedMotion()) return
  // Waits until the page contains the second element.
  requestAnimationFrame(() => {
    const target = find(to)
    const end = middleOf(target)
    if (end === undefined) return
    const flight = { translate: [start, end] }
    const onEnd = () => {
      tick(target)
      burst(end)
    }
    const timing = { duration: PAYOUT_MS, easing: 'ease-in' }
    decorate(() => animatePiece('flight', text, flight, timing, onEnd))
  })
}

/** Sends sparks from a place in all directions. */
function burst(place: string): void {
  for (let n = 0; n < SPARKS; n += 1) {
    const direction = `rotate(${n / SPARKS}turn)`
    const transform = [direction, `${direction} translate(2.5rem) scale(0)`]
    const flight = { translate: [place, place], transform }
    animatePiece('spark', '', flight, { duration: BURST_MS, easing: 'ease-out' })
  }
}

/** Adds a piece to the page until its animation ends. A browser that refuses to animate gets no piece. */
function animatePiece(
  className: string,
  text: string,
  frames: PropertyIndexedKeyframes,
  timing: KeyframeAnimationOptions,
  onEnd?: () => void,
): void {
  const piece = document.createElement('span')
  piece.className = className
  piece.ariaHidden = 'true'
  piece.textContent = text
  piece.animate(frames, timing).onfinish = () => {
    piece.remove()
    onEnd?.()
  }
  document.body.append(piece)
}

function find(selector: string): Element | null {
  return document.querySelector(`#root ${selector}`)
}

/**
 * Returns the middle of an element, as a value of the CSS property `translate`. An element that is scrolled away
 * has its middle at the window's edge.
 */
function middleOf(element: Element | null): string | undefined {
  const box = element?.getBoundingClientRect()
  return box && `${box.left + box.width / 2}px ${clamp(0, box.top + box.height / 2, innerHeight)}px`
}

function clamp(least: number, value: number, most: number): number {
  return Math.min(Math.max(value, least), most)
}

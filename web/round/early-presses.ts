import { CLAIM_DEBOUNCE_MS } from '../../contract/rules.ts'
import { instantOf } from './input.ts'

/** The last view, which the page may have to build again. */
let last = { since: Number.NaN, appearedAt: 0 }

/**
 * Ignores presses meant for the previous view: within `CLAIM_DEBOUNCE_MS`, or by a key that is still held.
 *
 * @param view - The view that has just appeared.
 * @param since - When the game changed to this view; the same if the page has only built the view again.
 * @returns a function that stops ignoring presses
 */
export function ignoreEarlyPresses(view: HTMLElement, since: number): () => void {
  const appearedAt = last.since === since ? last.appearedAt : performance.now()
  last = { since, appearedAt }
  const isEarly = (event: Event) => instantOf(event) - appearedAt < CLAIM_DEBOUNCE_MS
  const undo = new AbortController()
  const options = { capture: true, signal: undo.signal }
  /** Whether the next click belongs to an ignored press. */
  let isIgnored = false

  const onPointer = (event: PointerEvent) => {
    isIgnored = isEarly(event)
  }
  const onKey = (event: KeyboardEvent) => {
    const isPress = event.key === ' ' || event.key === 'Enter'
    if (!isPress || event.target instanceof HTMLInputElement) return
    isIgnored = event.repeat || isEarly(event)
    if (isIgnored) event.preventDefault()
  }
  const onClick = (event: MouseEvent) => {
    if (!isIgnored && !isEarly(event)) return
    isIgnored = false
    event.preventDefault()
    event.stopPropagation()
  }
  view.addEventListener('pointerdown', onPointer, options)
  view.addEventListener('keydown', onKey, options)
  view.addEventListener('click', onClick, options)
  return () => undo.abort()
}

import { CLAIM_DEBOUNCE_MS } from '../contract/rules.ts'

/**
 * Keeps a press that was meant for the previous view from acting on the new one: ignores presses within 450 ms, and a held
 * key until it is pressed anew. So the last press of Stop cannot claim or leave by accident.
 *
 * @param place the view that has just appeared
 * @returns a function that stops ignoring them
 */
export function ignoreEarlyPresses(place: HTMLElement): () => void {
  const cameAt = performance.now()
  const isEarly = ({ timeStamp }: Event) => timeStamp - cameAt < CLAIM_DEBOUNCE_MS
  const undo = new AbortController()
  const options = { capture: true, signal: undo.signal }
  /** The press that is still down does not count. */
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
  place.addEventListener('pointerdown', onPointer, options)
  place.addEventListener('keydown', onKey, options)
  place.addEventListener('click', onClick, options)
  return () => undo.abort()
}

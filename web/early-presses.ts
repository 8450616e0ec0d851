import { CLAIM_SLIP_MS } from '../contract/rules.ts'

/**
 * Keeps presses that were meant for what was there before from what has just come: whatever goes down within 450 ms, and a
 * key that is held until it goes down anew. No last press of Stop claims or leaves by accident.
 *
 * @param place what has just come
 * @returns the undo
 */
export function ignoreEarlyPresses(place: HTMLElement): () => void {
  const cameAt = performance.now()
  const isEarly = ({ timeStamp }: Event) => timeStamp - cameAt < CLAIM_SLIP_MS
  const undo = new AbortController()
  const options = { capture: true, signal: undo.signal }
  /** The press that is down does not count. */
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

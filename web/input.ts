/**
 * Rules for presses:
 *
 * - A press counts when the pointer or key goes down, with the time of that event. Releases do not count.
 * - Only the primary pointer button counts, and only without Ctrl: on a Mac, Ctrl-click is a right click.
 * - A press by any finger counts.
 * - Space and Enter on the button play. Space also plays elsewhere, unless a field or another control has the
 *   focus. A held key plays once. Shortcuts on the button are prevented, because browsers would send a click.
 * - A `click` plays only if no pointer or key preceded it, as with screen readers and voice control.
 *   Such clicks have `detail` 0, or in Firefox no `pointerType`. Clicks that follow a key are prevented.
 */

export type Pointer = Pick<PointerEvent, 'button' | 'ctrlKey'>
export type Key = Pick<KeyboardEvent, 'key' | 'code' | 'repeat' | 'ctrlKey' | 'altKey' | 'metaKey'>
export type Focus = 'button' | 'control' | 'page'

const CONTROLS =
  'input, textarea, select, button, a[href], summary, [contenteditable], [role="tab"], [role="button"]'

export function pointerPlays({ button, ctrlKey }: Pointer): boolean {
  return button === 0 && !ctrlKey
}

/** Returns `swallow` for a key that must neither play nor scroll the page. */
export function keyPlays(key: Key, focus: Focus): 'play' | 'swallow' | 'ignore' {
  const isSpace = key.key === ' ' || key.code === 'Space'
  const isEnter = key.key === 'Enter'
  const isShortcut = key.ctrlKey || key.altKey || key.metaKey
  if (focus === 'control' || (isShortcut && focus === 'page')) return 'ignore'
  if (!isSpace && !(isEnter && focus === 'button')) return 'ignore'
  return key.repeat || isShortcut ? 'swallow' : 'play'
}

export function clickPlays({ detail, pointerType }: Pick<PointerEvent, 'detail' | 'pointerType'>): boolean {
  return detail === 0 || pointerType === ''
}

/**
 * Listens for presses of the button and for Space anywhere on the page.
 *
 * @param play - Receives the time of the event, in ms since the page's time origin.
 * @returns a function that stops listening
 */
export function listenForPlays(button: HTMLButtonElement, play: (at: number) => void): () => void {
  const undo = new AbortController()
  const { signal } = undo

  const focusOf = ({ target }: Event): Focus => {
    if (target === button) return 'button'
    return target instanceof Element && target.closest(CONTROLS) !== null ? 'control' : 'page'
  }
  const onPointer = (event: PointerEvent) => {
    if (pointerPlays(event)) play(event.timeStamp)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const verdict = keyPlays(event, focusOf(event))
    if (verdict === 'ignore') return
    event.preventDefault()
    if (verdict === 'play') play(event.timeStamp)
  }
  const onKeyUp = (event: KeyboardEvent) => {
    if (keyPlays(event, focusOf(event)) !== 'ignore') event.preventDefault()
  }
  const onClick = (event: PointerEvent) => {
    if (clickPlays(event)) play(event.timeStamp)
  }

  button.addEventListener('pointerdown', onPointer, { signal })
  button.addEventListener('click', onClick, { signal })
  document.addEventListener('keydown', onKeyDown, { signal })
  document.addEventListener('keyup', onKeyUp, { signal })
  return () => undo.abort()
}

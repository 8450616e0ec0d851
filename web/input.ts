/**
 * What counts as a press, decided once:
 *
 * - A press counts when it goes down, and with the time of its own event: `pointerdown` and `keydown`. What
 *   happens afterwards (leaving the button, holding, releasing elsewhere) changes nothing.
 * - Of a pointer only the primary button counts: no right or middle click, and no click with Ctrl, which is the right click
 *   of a Mac. Every finger counts: the first on the page may be the hand that holds the phone.
 * - Space and Enter on the button play. Space plays from anywhere else too, unless the focus is in a field or on
 *   another control, which keeps its own Space. A held key plays once. A key with Ctrl, Alt or Meta is a shortcut;
 *   on the button it is swallowed, since the browser would make a click of it.
 * - A `click` plays only when neither a pointer nor a key came before it: screen readers and voice control send
 *   such clicks, with `detail` 0, or in Firefox 1 but no `pointerType`. The click that follows a pointer has both; the one
 *   that follows a key is prevented, on `keydown` and, for Firefox, on `keyup`.
 * - Devices may be mixed within an attempt.
 */

export type Pointer = Pick<PointerEvent, 'button' | 'ctrlKey'>
export type Key = Pick<KeyboardEvent, 'key' | 'code' | 'repeat' | 'ctrlKey' | 'altKey' | 'metaKey'>
/** Where the focus is when a key goes down. */
export type Focus = 'button' | 'control' | 'page'

const CONTROLS =
  'input, textarea, select, button, a[href], summary, [contenteditable], [role="tab"], [role="button"]'

export function pointerPlays({ button, ctrlKey }: Pointer): boolean {
  return button === 0 && !ctrlKey
}

/** `swallow`: the key plays nothing, and must not scroll the page either. */
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
 * Listens for presses on the button and for Space on its page.
 *
 * @param play gets the time of the event, in ms since the page began
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

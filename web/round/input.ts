/**
 * Rules for presses:
 *
 * - A press counts when the pointer or key goes down, at the instant of that event. Releases do not count.
 * - Only the primary pointer button counts, and only without Ctrl: on a Mac, Ctrl-click is a right click.
 * - A press by any finger counts.
 * - Space and Enter on the button play. Space also plays when nothing has the focus. Other elements keep their
 *   keys, also those that extensions add. A held key plays once, also over a remote desktop. Shortcuts on the button
 *   are prevented, because browsers would send a click.
 * - A Start by a finger is taken back when the browser takes the touch, to scroll or zoom. A Stop counts.
 * - A `click` plays only if no pointer or key preceded it, as with screen readers and voice control.
 *   Such clicks have `detail` 0, or in Firefox no `pointerType`. Clicks that follow a key are prevented.
 */

export type Pointer = Pick<PointerEvent, 'button' | 'ctrlKey'>
export type Key = Pick<KeyboardEvent, 'key' | 'code' | 'repeat' | 'ctrlKey' | 'altKey' | 'metaKey'>
export type Focus = 'button' | 'other' | 'page'

export function pointerPlays({ button, ctrlKey }: Pointer): boolean {
  return button === 0 && !ctrlKey
}

/** Returns `swallow` for a key that must neither play nor scroll the page. */
export function keyPlays(key: Key, focus: Focus): 'play' | 'swallow' | 'ignore' {
  const isSpace = key.key === ' ' || key.code === 'Space'
  const isEnter = key.key === 'Enter'
  const isShortcut = key.ctrlKey || key.altKey || key.metaKey
  if (focus === 'other' || (isShortcut && focus === 'page')) return 'ignore'
  if (!isSpace && !(isEnter && focus === 'button')) return 'ignore'
  return key.repeat || isShortcut ? 'swallow' : 'play'
}

export function clickPlays({ detail, pointerType }: Pick<PointerEvent, 'detail' | 'pointerType'>): boolean {
  return detail === 0 || pointerType === ''
}

/** The longest time for which a busy page delays an event. A stamp that lies further back is wrong. */
const STAMP_MAX_AGE_MS = 2_000

/**
 * Returns the instant of a press, in ms since the page's time origin. Some browsers stamp all events with 0, or
 * minutes late after a resume; the press then counts from now on.
 */
export function instantOf({ timeStamp }: Pick<Event, 'timeStamp'>): number {
  const now = performance.now()
  return timeStamp > 0 && now - timeStamp <= STAMP_MAX_AGE_MS ? timeStamp : now
}

/** The shortest pause between two presses; a remote desktop sends a held key as presses without a pause. */
const PAUSE_MIN_MS = 30

/** Returns whether a key is still held. A release after the press had a wrong stamp, and tells nothing. */
export function isHeld(releasedAt: number, pressedAt: number): boolean {
  const pauseMs = pressedAt - releasedAt
  return pauseMs >= 0 && pauseMs < PAUSE_MIN_MS
}

/**
 * Listens for presses of the button and for Space anywhere on the page.
 *
 * @param play - Receives the instant of the press.
 * @param takeBack - Receives the instant of a press whose touch the browser has taken.
 * @returns a function that stops listening
 */
export function listenForPlays(
  button: HTMLButtonElement,
  play: (at: number) => void,
  takeBack: (at: number) => void,
): () => void {
  const undo = new AbortController()
  const { signal } = undo
  /** The last touch that played. */
  let touch: { readonly id: number; readonly at: number } | null = null
  /** The time of the last release of a key that plays. */
  let releasedAt = Number.NEGATIVE_INFINITY

  const focusOf = ({ target }: Event): Focus => {
    if (target === button) return 'button'
    return target === document.body || target === document.documentElement ? 'page' : 'other'
  }
  const onPointer = (event: PointerEvent) => {
    if (!pointerPlays(event)) return
    const at = instantOf(event)
    if (event.pointerType === 'touch') touch = { id: event.pointerId, at }
    play(at)
  }
  const onPointerCancel = ({ pointerId }: PointerEvent) => {
    if (touch?.id === pointerId) takeBack(touch.at)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const verdict = keyPlays(event, focusOf(event))
    if (verdict === 'ignore') return
    event.preventDefault()
    const at = instantOf(event)
    if (verdict === 'play' && !isHeld(releasedAt, at)) play(at)
  }
  const onKeyUp = (event: KeyboardEvent) => {
    if (keyPlays(event, focusOf(event)) === 'ignore') return
    event.preventDefault()
    releasedAt = instantOf(event)
  }
  const onClick = (event: PointerEvent) => {
    if (clickPlays(event)) play(instantOf(event))
  }

  button.addEventListener('pointerdown', onPointer, { signal })
  button.addEventListener('pointercancel', onPointerCancel, { signal })
  button.addEventListener('click', onClick, { signal })
  document.addEventListener('keydown', onKeyDown, { signal })
  document.addEventListener('keyup', onKeyUp, { signal })
  return () => undo.abort()
}

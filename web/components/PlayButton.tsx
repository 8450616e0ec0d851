import { useEffect, useLayoutEffect, useRef } from 'react'
import { listenForPlays } from '../input.ts'
import { painted } from '../painted.ts'
import { SpaceKey } from './SpaceKey.tsx'

interface Props {
  running: boolean
  disabled: boolean
  /** Receives the time of the press, in ms since the page began. */
  onPlay: (at: number) => void
}

/** Start and Stop. */
export function PlayButton({ running, disabled, onPlay }: Props) {
  const ref = useRef<HTMLButtonElement>(null)
  const hadFocus = useRef(false)

  // Listens before the button is painted: a ready player presses at once.
  useLayoutEffect(() => {
    const button = ref.current
    if (button === null) return
    return listenForPlays(button, at => {
      hadFocus.current = document.activeElement === button
      onPlay(at)
      // Without React, which would render it together with what the press does.
      button.toggleAttribute('data-pressed', true)
      void painted().then(() => button.toggleAttribute('data-pressed', false))
    })
  }, [onPlay])

  // Browsers blur a button that is disabled. The next round focuses it again, unless the focus has moved
  // elsewhere.
  useEffect(() => {
    if (!disabled && hadFocus.current && document.activeElement === document.body) ref.current?.focus()
  }, [disabled])

  const label = running ? 'Stop' : 'Start'
  return (
    <button ref={ref} type="button" className="primary play" data-running={running} disabled={disabled}>
      <span key={label}>
        {label}
        <SpaceKey />
      </span>
    </button>
  )
}

import { useEffect, useLayoutEffect, useRef } from 'react'
import { showTarget } from '../../feel/focus.ts'
import { afterNextFrame } from '../../lib/after-next-frame.ts'
import { formatTaps } from '../../lib/format.ts'
import type { Game, GameState } from '../../round/game.ts'
import { listenForPlays } from '../../round/input.ts'
import { ButtonLabel } from '../controls/Key.tsx'

interface Props {
  game: Game
  state: GameState
}

/** Starts and stops a round, and opens claim mode after a win. */
export function PlayButton({ game, state }: Props) {
  const { round, sendingSince, changing, won } = state
  const disabled = round.phase !== 'running' && (sendingSince !== null || changing)
  const ref = useRef<HTMLButtonElement>(null)
  const hadFocus = useRef(false)

  // Listens before the first paint, because a player may press immediately.
  useLayoutEffect(() => {
    const button = ref.current
    if (button === null) return
    const onPress = (at: number) => {
      hadFocus.current = document.activeElement === button
      game.press(at)
      // Bypasses React, which would show the press only when the round changes.
      button.toggleAttribute('data-pressed', true)
      button.toggleAttribute('data-played', true)
      void afterNextFrame().then(() => button.toggleAttribute('data-pressed', false))
    }
    return listenForPlays(button, onPress, game.takeBack)
  }, [game])

  // Focuses the button again once enabled, as invisibly as a press left it, unless the focus has moved: browsers
  // blur a disabled button.
  useEffect(() => {
    if (disabled || !hadFocus.current || document.activeElement !== document.body) return
    ref.current?.toggleAttribute('data-played', true)
    ref.current?.focus({ preventScroll: true })
  }, [disabled])

  const isRunning = round.phase === 'running'
  useLayoutEffect(() => {
    if (isRunning) showTarget()
  }, [isRunning])

  const label = won === null ? (isRunning ? 'Stop' : 'Start') : `You won ${formatTaps(won)} TAPS`
  return (
    <button
      ref={ref}
      type="button"
      className="primary play"
      onBlur={({ target }) => target.toggleAttribute('data-played', false)}
      data-running={isRunning}
      data-won={won !== null}
      disabled={disabled}
    >
      <ButtonLabel text={label} keyName={won === null ? 'Space' : null} />
    </button>
  )
}

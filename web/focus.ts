import type { Game } from './game.ts'
import type { SessionKeeper } from './session.ts'

interface Deps {
  readonly game: Pick<Game, 'state'>
  readonly session: Pick<SessionKeeper, 'state'>
}

/** Focuses Start or Stop, if it can be focused. */
export function focusPlay(): void {
  document.querySelector<HTMLElement>('.play:enabled')?.focus({ preventScroll: true })
}

/** Later: a press moves the focus to its own button once its event has been handled. */
export function focusName(): void {
  setTimeout(() => document.getElementById('username')?.focus())
}

/**
 * Focuses the Start button when a mode ends and the focus is lost with it, as soon as the button can be focused. Claim and
 * login mode take the focus by themselves.
 */
export function keepFocus({ game, session }: Deps): void {
  const shown = () => `${game.state.get().view} ${session.state.get().session?.user?.id}`
  let before = shown()
  let lost = false

  function rescue(): void {
    if (document.activeElement === document.body) focusPlay()
    lost = document.activeElement === document.body
  }

  function look(): void {
    const now = shown()
    lost ||= now !== before
    before = now
    // Once it is on the screen.
    if (lost) setTimeout(rescue)
  }

  game.state.subscribe(look)
  session.state.subscribe(look)
}

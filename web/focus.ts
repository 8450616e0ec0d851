import type { Game } from './game.ts'
import type { SessionKeeper } from './session.ts'

interface Deps {
  readonly game: Pick<Game, 'state'>
  readonly session: Pick<SessionKeeper, 'state'>
}

/** Focuses Start or Stop, unless it is disabled. */
export function focusPlay(): void {
  document.querySelector<HTMLElement>('.play:enabled')?.focus({ preventScroll: true })
}

/** Waits for the current press, which moves the focus to its own button. */
export function focusName(): void {
  setTimeout(() => document.getElementById('username')?.focus())
}

/**
 * Focuses Start when a mode ends and loses the focus, as soon as the button is enabled. Claim and login mode
 * take the focus themselves.
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
    if (lost) setTimeout(rescue)
  }

  game.state.subscribe(look)
  session.state.subscribe(look)
}

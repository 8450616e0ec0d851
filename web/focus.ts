import type { Game } from './game.ts'
import type { SessionKeeper } from './session.ts'

interface Deps {
  readonly game: Pick<Game, 'state'>
  readonly session: Pick<SessionKeeper, 'state'>
}

/** Gives the focus to Start or Stop, when it can have it. */
export function focusPlay(): void {
  document.querySelector<HTMLElement>('.play:enabled')?.focus({ preventScroll: true })
}

/** Later: a press that goes down gives the focus to the button once its event has been handled. */
export function focusName(): void {
  setTimeout(() => document.getElementById('username')?.focus())
}

/**
 * A mode that goes takes the focus with it: then the Start button gets it, as soon as it can have it. Claim and login mode
 * take it by themselves.
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

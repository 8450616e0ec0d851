import type { Game } from '../round/game.ts'
import type { SessionKeeper } from '../session/session.ts'

interface Deps {
  readonly game: Pick<Game, 'state'>
  readonly session: Pick<SessionKeeper, 'state'>
}

/** Focuses Start or Stop, unless the button is disabled. */
export function focusPlay(): void {
  document.querySelector<HTMLElement>('.play:enabled')?.focus({ preventScroll: true })
}

/** Focuses the name field, after the current press has moved the focus to the pressed button. */
export function focusName(): void {
  setTimeout(() => document.getElementById('username')?.focus())
}

/**
 * Focuses Start, once enabled, if leaving a mode has removed the focused element. Claim and login mode focus
 * their own elements.
 */
export function keepFocus({ game, session }: Deps): void {
  let isLost = false

  function restoreFocus(): void {
    if (document.activeElement === document.body) focusPlay()
    isLost = document.activeElement === document.body
  }

  function onChange(isNewMode: boolean): void {
    isLost ||= isNewMode
    if (isLost) setTimeout(restoreFocus)
  }

  game.state.subscribe((now, before) => onChange(now.view !== before.view))
  session.state.subscribe((now, before) => onChange(now.session?.user?.id !== before.session?.user?.id))
}

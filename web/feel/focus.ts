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

/** Scrolls to the target, if it is outside the window or behind Stop. */
export function showTarget(): void {
  document.querySelector('.target-time')?.scrollIntoView({ block: 'nearest', behavior: 'instant' })
}

/** The space around what is scrolled into view, in px. */
const MARGIN_PX = 8

/** Scrolls a field and its problem above a phone's keyboard. If they do not fit there together, the field. */
export function showMistake(field: Element, problem: Element): void {
  problem.scrollIntoView({ block: 'nearest' })
  const { offsetTop, height } = visualViewport ?? { offsetTop: 0, height: innerHeight }
  const above = field.getBoundingClientRect().top - MARGIN_PX - offsetTop
  const belowOf = (element: Element) =>
    element.getBoundingClientRect().bottom + MARGIN_PX - offsetTop - height
  const below = belowOf(problem) <= above ? belowOf(problem) : belowOf(field)
  scrollBy({ top: above < 0 ? above : Math.max(0, below), behavior: 'instant' })
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

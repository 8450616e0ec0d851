import { createStore, type Store } from '../lib/store.ts'
import type { GameState } from './game.ts'

interface Deps {
  /** Resolves when the next frame has been drawn. */
  readonly afterNextFrame: () => Promise<void>
  /** Calls `show`, and fades from the view before the call to the view after the call. */
  readonly crossFade: (show: () => void) => void
}

/**
 * Returns the game state that the page shows. Effects of a press appear after the press is painted, and a new
 * view fades in.
 */
export function deferUntilPainted(
  game: Store<GameState>,
  { afterNextFrame, crossFade }: Deps,
): Store<GameState> {
  const shown = createStore(game.get())
  let waiting = false
  const showNow = () => {
    waiting = false
    if (game.get().view === shown.get().view) shown.set(game.get())
    else crossFade(() => shown.set(game.get()))
  }
  game.subscribe(() => {
    if (waiting) return
    const { round } = game.get()
    // A changed round that is not idle was started or stopped by a press.
    waiting = round !== shown.get().round && round.phase !== 'idle'
    if (waiting) void afterNextFrame().then(showNow)
    else showNow()
  })
  return shown
}

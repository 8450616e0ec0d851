import { createStore, type Store } from '../lib/store.ts'
import type { GameState } from './game.ts'

/**
 * Returns the game state that the page shows. Effects of a press appear after the press is painted.
 *
 * @param afterNextFrame - Resolves when the next frame has been drawn.
 */
export function deferUntilPainted(
  game: Store<GameState>,
  afterNextFrame: () => Promise<void>,
): Store<GameState> {
  const shown = createStore(game.get())
  let waiting = false
  const showNow = () => {
    waiting = false
    shown.set(game.get())
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

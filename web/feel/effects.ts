import type { Store } from '../lib/store.ts'
import type { GameState } from '../round/game.ts'
import { celebrate, strengthOf } from './confetti.ts'

/** Decorations that the page loads once the game is playable, and can do without. */
export { celebrate } from './confetti.ts'
export { crossFade } from './cross-fade.ts'
export { playFlights } from './flights.ts'

/** Fires confetti for each win. */
export function celebrateWins(game: Store<GameState>): void {
  let last: number | null = null
  function onChange(): void {
    const { won } = game.get()
    if (won !== null && won !== last) void celebrate(strengthOf(won))
    last = won
  }
  game.subscribe(onChange)
  onChange()
}

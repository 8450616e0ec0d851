import type { Closeness } from '../contract/rules.ts'
import type { GameState } from './game.ts'
import type { Senses } from './senses.ts'
import type { Store } from './store.ts'

/** What can be heard and felt: the two presses, the second one by how close it came, and a win. */
export type Cue = 'start' | 'won' | Closeness

/**
 * Gives the cues of the game while the senses are on; their code is loaded when it is first needed.
 *
 * @returns gives the cue of a win, which comes with the server's answer
 */
export function giveCues(game: Store<GameState>, senses: Senses): () => void {
  const give = (cue: Cue) => {
    if (senses.on.get()) void import('./sounds.ts').then(({ play }) => play(cue))
  }
  let before = game.get().round
  game.subscribe(() => {
    const { round } = game.get()
    if (round === before) return
    if (round.phase === 'running') give('start')
    if (round.phase === 'stopped' && before.phase === 'running') give(round.judgement.feedback.closeness)
    before = round
  })
  // Heard at once, so that turning it on says what it does.
  senses.on.subscribe(() => give('start'))
  return () => give('won')
}

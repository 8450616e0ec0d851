import type { GameState } from './game.ts'
import type { SoundSettings } from './sound-settings.ts'
import type { Cue } from './sounds.ts'
import type { Store } from './store.ts'

/**
 * Gives the cues of the game while sound is on; their code is loaded when it is first needed.
 *
 * @returns gives the cue of a win, which comes with the server's answer
 */
export function giveCues(game: Store<GameState>, settings: SoundSettings): () => void {
  const give = (cue: Cue) => {
    if (settings.on.get()) void import('./sounds.ts').then(({ play }) => play(cue))
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
  settings.on.subscribe(() => give('start'))
  return () => give('won')
}

import type { GameState } from './game-state.ts'
import type { RoundState } from './round.ts'
import type { SoundSettings } from './sound-settings.ts'
import type { Cue } from './sounds.ts'
import type { Store } from './store.ts'

/** Plays the cues of the game while sound is on. Their code is loaded when first needed. */
export function playSounds(game: Store<GameState>, settings: SoundSettings): void {
  const give = (cue: Cue) => {
    if (settings.on.get()) void import('./sounds.ts').then(({ play }) => play(cue))
  }
  let before = game.get()
  game.subscribe(() => {
    const now = game.get()
    giveRound(before.round, now.round)
    if (now.won !== before.won && now.won !== null) give('won')
    before = now
  })

  function giveRound(last: RoundState, round: RoundState): void {
    if (round === last) return
    if (round.phase === 'running') give('start')
    if (round.phase === 'stopped' && last.phase === 'running') give(round.judgement.feedback.closeness)
  }

  // Played at once, so that the player hears what the switch does.
  settings.on.subscribe(() => give('start'))
}

import type { Closeness } from '../contract/rules.ts'
import type { GameState } from './game-state.ts'
import { vibrate } from './haptics.ts'
import type { RoundState } from './round.ts'
import type { Store } from './store.ts'
import type { openSwitches } from './switches.ts'

/** Start, a win, or a Stop by its closeness. */
export type Cue = 'start' | 'won' | Closeness

/** Plays and vibrates cues, each while its switch is on. */
export function giveCues(game: Store<GameState>, switches: ReturnType<typeof openSwitches>): void {
  const { sound, vibration } = switches
  const hear = (cue: Cue) => {
    if (sound.on.get()) void import('./sounds.ts').then(({ play }) => play(cue))
  }
  const feel = (cue: Cue) => {
    if (vibration.on.get()) vibrate(cue)
  }
  watchCues(game, cue => {
    feel(cue)
    hear(cue)
  })
  // A sample of what the switch turns on.
  sound.on.subscribe(() => hear('start'))
  vibration.on.subscribe(() => feel('start'))
}

export function watchCues(game: Store<GameState>, give: (cue: Cue) => void): void {
  let before = game.get()
  game.subscribe(() => {
    const last = before
    before = game.get()
    const cue = cueOfRound(last.round, before.round)
    if (cue !== null) give(cue)
    if (before.won !== last.won && before.won !== null) give('won')
  })
}

function cueOfRound(last: RoundState, round: RoundState): Cue | null {
  if (round === last) return null
  if (round.phase === 'running') return 'start'
  const hasStopped = round.phase === 'stopped' && last.phase === 'running'
  return hasStopped ? round.judgement.feedback.closeness : null
}

import { loadChunk } from '../lib/chunks.ts'
import type { Store } from '../lib/store.ts'
import type { openSwitches } from '../lib/switches.ts'
import type { GameState } from '../round/game.ts'
import type { RoundState } from '../round/round.ts'
import { vibrate } from './haptics.ts'
import type { Cue } from './sounds.ts'

/** The semitones by which each consecutive win starts higher. */
const STREAK_SEMITONES = 2

/**
 * Plays cues as sound and vibration, unless switched off.
 *
 * @param streak - Returns the number of consecutive hits before the current round.
 */
export function playCues(
  game: Store<GameState>,
  switches: ReturnType<typeof openSwitches>,
  streak: () => number,
): void {
  const { sound, vibration } = switches
  const playSound = (cue: Cue) => {
    const shift = cue === 'won' ? STREAK_SEMITONES * streak() : 0
    if (sound.on.get()) void loadChunk(() => import('./sounds.ts')).then(part => part?.play(cue, shift))
  }
  const playVibration = (cue: Cue) => {
    if (vibration.on.get()) vibrate(cue)
  }
  watchCues(game, cue => {
    playVibration(cue)
    playSound(cue)
  })
  // Plays a sample when a switch is turned on.
  sound.on.subscribe(() => playSound('start'))
  vibration.on.subscribe(() => playVibration('start'))
}

export function watchCues(game: Store<Pick<GameState, 'round' | 'won'>>, onCue: (cue: Cue) => void): void {
  let current = game.get()
  game.subscribe(() => {
    const last = current
    current = game.get()
    const cue = cueOfRound(last.round, current.round)
    if (cue !== null) onCue(cue)
    if (current.won !== last.won && current.won !== null) onCue('won')
  })
}

function cueOfRound(last: RoundState, round: RoundState): Cue | null {
  if (round === last) return null
  if (round.phase === 'running') return 'start'
  const hasStopped = round.phase === 'stopped' && last.phase === 'running'
  return hasStopped ? round.judgement.feedback.closeness : null
}

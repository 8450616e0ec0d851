import { readJson, type Storage, writeJson } from '../lib/storage.ts'
import { createStore, type Store } from '../lib/store.ts'
import type { GameState } from '../round/game.ts'
import { decorate } from './decorate.ts'
import { type Cue, play } from './sounds.ts'

/** The semitones by which each consecutive win starts higher. */
const STREAK_SEMITONES = 2

/** Durations in ms, alternately of vibration and pause. */
const VIBRATIONS: Readonly<Record<Cue, readonly number[]>> = {
  start: [12],
  perfect: [20, 40, 20, 40, 20],
  close: [20, 40, 20],
  near: [20, 40, 20],
  fair: [20],
  off: [20],
  far: [20],
  wild: [20],
  won: [40, 60, 40, 60, 120],
}

/** Returns true on a touch device that can vibrate. On desktops `navigator.vibrate` exists without effect. */
function canVibrate(): boolean {
  return 'vibrate' in navigator && matchMedia('(pointer: coarse)').matches
}

/** The player's choice: true for sound and vibration, false for neither. Null, without one, vibrates only. */
export type CueSwitch = ReturnType<typeof openCueSwitch>

const KEY = 'taps-cues'

/** Reads the stored choice. */
export function openCueSwitch(storage: Storage) {
  const stored = readJson(storage, KEY)
  const on = createStore<boolean | null>(typeof stored === 'boolean' ? stored : null)
  return {
    on,
    toggle() {
      on.set(!on.get())
      writeJson(storage, KEY, on.get())
    },
  }
}

/**
 * Plays cues as sound and vibration, as far as they are switched on.
 *
 * @param streak - Returns the number of wins in a row.
 */
export function playCues(game: Store<GameState>, { on }: CueSwitch, streak: () => number): void {
  const playSound = (cue: Cue) => {
    const shift = cue === 'won' ? STREAK_SEMITONES * streak() : 0
    if (on.get()) decorate(() => play(cue, shift))
  }
  const playVibration = (cue: Cue) => {
    if (on.get() !== false && canVibrate()) decorate(() => navigator.vibrate([...VIBRATIONS[cue]]))
  }
  const playCue = (cue: Cue) => {
    playVibration(cue)
    playSound(cue)
  }
  game.subscribe((now, before) => {
    for (const cue of cuesBetween(before, now)) playCue(cue)
  })
  // Plays a sample when the switch is turned on.
  on.subscribe(() => playCue('start'))
}

type Cued = Pick<GameState, 'round' | 'won'>

/** Returns the cues of a change. An abandoned run and a result of an earlier page have none. */
export function cuesBetween(last: Cued, { round, won }: Cued): Cue[] {
  const cues: Cue[] = []
  if (round !== last.round) {
    if (round.phase === 'running') cues.push('start')
    if (round.phase === 'stopped' && last.round.phase === 'running')
      cues.push(round.judgement.feedback.closeness)
  }
  if (won !== null && won !== last.won) cues.push('won')
  return cues
}

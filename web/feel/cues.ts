import { loadChunk } from '../lib/chunks.ts'
import { readJson, type Storage, writeJson } from '../lib/storage.ts'
import { createStore, type Store } from '../lib/store.ts'
import type { GameState } from '../round/game.ts'
import type { Cue } from './sounds.ts'

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
export function canVibrate(): boolean {
  return 'vibrate' in navigator && matchMedia('(pointer: coarse)').matches
}

/** An on/off setting stored in this browser. */
export type Switch = ReturnType<typeof openSwitch>
export type Switches = ReturnType<typeof openSwitches>

/** Reads the stored switches. By default, sound is off and vibration is on. */
export function openSwitches(storage: Storage) {
  return {
    sound: openSwitch(storage, 'taps-sound', false),
    vibration: openSwitch(storage, 'taps-vibration', true),
  }
}

function openSwitch(storage: Storage, key: string, initial: boolean) {
  const stored = readJson(storage, key)
  const on = createStore(typeof stored === 'boolean' ? stored : initial)
  return {
    on,
    toggle() {
      on.set(!on.get())
      writeJson(storage, key, on.get())
    },
  }
}

/**
 * Plays cues as sound and vibration, unless switched off.
 *
 * @param streak - Returns the number of consecutive hits before the current round.
 */
export function playCues(game: Store<GameState>, { sound, vibration }: Switches, streak: () => number): void {
  const playSound = (cue: Cue) => {
    const shift = cue === 'won' ? STREAK_SEMITONES * streak() : 0
    if (sound.on.get()) void loadChunk(() => import('./sounds.ts')).then(part => part?.play(cue, shift))
  }
  const playVibration = (cue: Cue) => {
    if (vibration.on.get() && canVibrate()) navigator.vibrate([...VIBRATIONS[cue]])
  }
  let last = game.get()
  game.subscribe(() => {
    const now = game.get()
    for (const cue of cuesBetween(last, now)) {
      playVibration(cue)
      playSound(cue)
    }
    last = now
  })
  // Plays a sample when a switch is turned on.
  sound.on.subscribe(() => playSound('start'))
  vibration.on.subscribe(() => playVibration('start'))
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

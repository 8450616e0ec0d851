import type { Closeness } from '../contract/rules.ts'
import { canVibrate } from './sound-settings.ts'

/** The cues: Start, Stop by how close it came, and a win. */
export type Cue = 'start' | 'won' | Closeness

/** A5: high enough for a phone's loudspeaker. */
const ROOT_HZ = 880
const NOTE_S = 0.09
/** Quiet beside music. */
const VOLUME = 0.12
/** A tone that begins or ends within one sample would click. */
const ATTACK_S = 0.005

interface Sound {
  /** Semitones above or below the root, one note after the other. */
  readonly notes: readonly number[]
  /** The vibration of a phone, in ms: on, off, on … */
  readonly vibration: readonly number[]
}

/** The closer the stop, the fuller the chord; the further, the lower the note. */
const SOUNDS: Record<Cue, Sound> = {
  start: { notes: [0], vibration: [12] },
  perfect: { notes: [0, 4, 7, 12], vibration: [20, 40, 20, 40, 20] },
  close: { notes: [0, 4, 7], vibration: [20, 40, 20] },
  near: { notes: [0, 4], vibration: [20, 40, 20] },
  fair: { notes: [-3], vibration: [20] },
  off: { notes: [-5], vibration: [20] },
  far: { notes: [-8], vibration: [20] },
  wild: { notes: [-12], vibration: [20] },
  won: { notes: [0, 4, 7, 12, 7, 12, 16], vibration: [40, 60, 40, 60, 120] },
}

let context: AudioContext | undefined

/** Plays a cue of plain tones. It may be silent before the first press of a visit, by the browser's rules. */
export async function play(cue: Cue): Promise<void> {
  const { notes, vibration } = SOUNDS[cue]
  if (canVibrate()) navigator.vibrate([...vibration])
  context ??= new AudioContext()
  await context.resume()
  for (const [index, semitones] of notes.entries()) {
    sound(context, ROOT_HZ * 2 ** (semitones / 12), context.currentTime + index * NOTE_S)
  }
}

function sound(audio: AudioContext, hertz: number, at: number): void {
  const tone = new OscillatorNode(audio, { type: 'triangle', frequency: hertz })
  const volume = new GainNode(audio, { gain: 0 })
  volume.gain.setValueAtTime(0, at)
  volume.gain.linearRampToValueAtTime(VOLUME, at + ATTACK_S)
  volume.gain.exponentialRampToValueAtTime(VOLUME / 100, at + NOTE_S)
  volume.gain.linearRampToValueAtTime(0, at + NOTE_S + ATTACK_S)
  tone.connect(volume).connect(audio.destination)
  tone.start(at)
  tone.stop(at + NOTE_S + ATTACK_S)
}

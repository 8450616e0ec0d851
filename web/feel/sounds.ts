import type { Closeness } from '../../contract/rules.ts'

/** An event with a sound and a vibration: Start, a win, or the closeness of a Stop. */
export type Cue = 'start' | 'won' | Closeness

/** The note A5, which is high enough for a phone's loudspeaker. */
const ROOT_HZ = 880
const NOTE_S = 0.09
const VOLUME = 0.12
/** The length of the fade at both ends of a tone, which avoids clicks. */
const ATTACK_S = 0.005

/** The notes of each cue, in semitones from the root. Close Stops play several notes, far Stops one. */
const NOTES: Readonly<Record<Cue, readonly number[]>> = {
  start: [0],
  perfect: [0, 4, 7, 12],
  close: [0, 4, 7],
  near: [0, 4],
  fair: [-3],
  off: [-5],
  far: [-8],
  wild: [-12],
  won: [0, 4, 7, 12, 7, 12, 16],
}

let context: AudioContext | undefined

/**
 * Plays a cue. Browsers allow no sound before the first press of a visit.
 *
 * @param shift - Semitones by which all notes are higher, up to an octave.
 */
export async function play(cue: Cue, shift: number): Promise<void> {
  context ??= new AudioContext()
  await context.resume()
  for (const [index, semitones] of NOTES[cue].entries()) {
    const higher = semitones + Math.min(shift, 12)
    playTone(context, ROOT_HZ * 2 ** (higher / 12), context.currentTime + index * NOTE_S)
  }
}

function playTone(audio: AudioContext, hertz: number, at: number): void {
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

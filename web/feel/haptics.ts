import type { Cue } from './sounds.ts'

/** Durations in ms, alternately of vibration and pause. */
const PATTERNS: Readonly<Record<Cue, readonly number[]>> = {
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

export function vibrate(cue: Cue): void {
  if (canVibrate()) navigator.vibrate([...PATTERNS[cue]])
}

import { TRACK_LOOP_MS } from '../../contract/rules.ts'
import type { Stopped } from '../round/round.ts'

/** The time scale of a rail. */
export interface Scale {
  /** The label of the left end. */
  readonly from: string
  /** The label of the right end. */
  readonly to: string
  /** Returns the place of a time, from 0 (left) to 1 (right). */
  shareOf(ms: number): number
}

/** The largest difference at which a result is enlarged. */
export const ZOOM_REACH_MS = 500

export const WHOLE: Scale = {
  from: '0 s',
  to: `${TRACK_LOOP_MS / 1_000} s`,
  shareOf: ms => ms / TRACK_LOOP_MS,
}

/** Returns the scale of a result. Only a close result is enlarged. */
export function scaleOf({ targetMs, judgement }: Pick<Stopped, 'targetMs' | 'judgement'>): Scale {
  return Math.abs(judgement.differenceMs) > ZOOM_REACH_MS ? WHOLE : enlargedAt(targetMs)
}

/** Returns the enlarged scale with a target in the centre. */
export function enlargedAt(targetMs: number): Scale {
  const reach = `${ZOOM_REACH_MS / 1_000} s`
  return {
    from: `${reach} early`,
    to: `${reach} late`,
    shareOf: ms => 0.5 + (ms - targetMs) / (2 * ZOOM_REACH_MS),
  }
}

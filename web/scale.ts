import { TRACK_LOOP_MS } from '../contract/rules.ts'
import type { Stopped } from './round.ts'

/** What a rail shows, from its left end to its right end. */
export interface Scale {
  /** The words at its ends. */
  readonly from: string
  readonly to: string
  /** Where a time stands: 0 at the left end, 1 at the right end. */
  shareOf(ms: number): number
}

/** A result this close to its target is enlarged, in ms. */
export const ZOOM_REACH_MS = 500

/** The whole rail, which the dot crosses while a round runs. */
export const WHOLE: Scale = {
  from: '0 s',
  to: `${TRACK_LOOP_MS / 1_000} s`,
  shareOf: ms => ms / TRACK_LOOP_MS,
}

/** The scale of a result: its target in the middle if it was close, else the whole rail. */
export function scaleOf({ targetMs, judgement }: Pick<Stopped, 'targetMs' | 'judgement'>): Scale {
  if (Math.abs(judgement.differenceMs) > ZOOM_REACH_MS) return WHOLE
  const reach = `${ZOOM_REACH_MS / 1_000} s`
  return {
    from: `${reach} early`,
    to: `${reach} late`,
    shareOf: ms => 0.5 + (ms - targetMs) / (2 * ZOOM_REACH_MS),
  }
}

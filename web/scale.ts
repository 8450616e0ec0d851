import { TRACK_LOOP_MS } from '../contract/rules.ts'
import type { Stopped } from './round.ts'

/** The time scale of a rail. */
export interface Scale {
  /** Labels of the ends. */
  readonly from: string
  readonly to: string
  /** Returns 0 for the left end and 1 for the right. */
  shareOf(ms: number): number
}

/** Results this close to the target are enlarged. */
export const ZOOM_REACH_MS = 500

export const WHOLE: Scale = {
  from: '0 s',
  to: `${TRACK_LOOP_MS / 1_000} s`,
  shareOf: ms => ms / TRACK_LOOP_MS,
}

/** Centres a close result on its target; others use the whole rail. */
export function scaleOf({ targetMs, judgement }: Pick<Stopped, 'targetMs' | 'judgement'>): Scale {
  if (Math.abs(judgement.differenceMs) > ZOOM_REACH_MS) return WHOLE
  const reach = `${ZOOM_REACH_MS / 1_000} s`
  return {
    from: `${reach} early`,
    to: `${reach} late`,
    shareOf: ms => 0.5 + (ms - targetMs) / (2 * ZOOM_REACH_MS),
  }
}

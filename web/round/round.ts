import type { Round } from '../../contract/api.ts'
import {
  ACTUAL_MAX_MS,
  type Judgement,
  judge,
  START_DEBOUNCE_MS,
  STOP_DEBOUNCE_MS,
  WIN_SEEN_MS,
} from '../../contract/rules.ts'
import { toMs } from '../../contract/time.ts'

/** A round as the page sees it. Times are instants of presses, from `instantOf`. */
export type RoundState = Idle | Running | Stopped

export interface Idle {
  readonly phase: 'idle'
}

export interface Running {
  readonly phase: 'running'
  readonly round: Round
  /** The name at Start, under which the attempt is recorded. */
  readonly username: string
  readonly startedAt: number
}

export interface Stopped {
  readonly phase: 'stopped'
  readonly targetMs: number
  /** The player's time, in whole ms from 1 to `ACTUAL_MAX_MS`. */
  readonly actualMs: number
  readonly judgement: Judgement
  /** The time of the press; −∞ for a resumed attempt. */
  readonly stoppedAt: number
}

export const IDLE: Idle = { phase: 'idle' }

export function start(round: Round, username: string, at: number): Running {
  return { phase: 'running', round, username, startedAt: at }
}

/** Stops a round. Returns null for a round longer than `ACTUAL_MAX_MS`. */
export function stop({ round, startedAt }: Running, at: number): Stopped | null {
  const actualMs = Math.max(1, Math.round(at - startedAt))
  if (actualMs > ACTUAL_MAX_MS) return null
  return stopped(toMs(round.target_time), actualMs, at)
}

export function stopped(
  targetMs: number,
  actualMs: number,
  stoppedAt: number = Number.NEGATIVE_INFINITY,
): Stopped {
  return { phase: 'stopped', targetMs, actualMs, judgement: judge(targetMs, actualMs), stoppedAt }
}

/** Returns true for a press that follows the previous press too soon to be intended. */
export function isDebounced(round: RoundState, at: number): boolean {
  if (round.phase === 'running') return isWithin(STOP_DEBOUNCE_MS, at - round.startedAt)
  return round.phase === 'stopped' && isWithin(START_DEBOUNCE_MS, at - round.stoppedAt)
}

/** Returns true once a win has been in view for `WIN_SEEN_MS`. */
export function isWinSeen(round: RoundState, at: number): boolean {
  return round.phase === 'stopped' && !isWithin(WIN_SEEN_MS, at - round.stoppedAt)
}

/** Compares in whole ms. Returns false for a negative time, which means that the clock was set back. */
function isWithin(ms: number, since: number): boolean {
  return since >= 0 && Math.round(since) < ms
}

/** Returns true while another player's win may be highlighted. */
export function canHighlightWin({ round }: { readonly round: RoundState }): boolean {
  return round.phase === 'idle' || (round.phase === 'stopped' && !round.judgement.wins)
}

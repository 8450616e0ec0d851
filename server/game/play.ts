import type { AttemptBody, Prize, Round, Start } from '../../contract/api.ts'
import { isTooFast } from '../../contract/clock.ts'
import { checkName } from '../../contract/name.ts'
import { ROUND_LIFETIME_MS } from '../../contract/rules.ts'
import { toMs } from '../../contract/time.ts'
import type { PlayerState } from '../callers/authenticator.ts'
import type { Caller } from '../callers/caller.ts'
import type { DatabaseClock } from '../database/clock.ts'
import type { RefusedNameCheck } from '../names/refused-words.ts'
import { Problem } from '../problem.ts'
import type { Outcome, Recorder, Submission } from './recorder.ts'
import type { CurrentRound, Rounds, StartedRound } from './rounds.ts'

export interface Poller {
  readonly clock: Pick<DatabaseClock, 'now' | 'timeAt'>
  poll(): Promise<unknown>
}

interface Deps {
  readonly clockToleranceMs: number
  readonly isCurrentRound: (round: CurrentRound) => Promise<boolean>
  readonly isRefusedName: RefusedNameCheck
  readonly poller: Poller
  readonly recorder: Pick<Recorder, 'record' | 'recall'>
  readonly rounds: Pick<Rounds, 'start' | 'issueNext'>
}

type Player = Pick<Caller, 'playerId' | 'state'>

/**
 * Signs a start token for the caller's current round, with the time and the name.
 *
 * @param receivedAt - The monotonic time of arrival, ms.
 * @returns null when the round belongs to another player, or is not current
 * @throws {Problem} blank_username, bad_username; only for a current round
 */
export async function start(
  deps: Deps,
  caller: Player,
  round: CurrentRound,
  username: string | undefined,
  receivedAt: number,
): Promise<Start | null> {
  if (round.playerId !== caller.playerId || !(await isCurrent(deps, caller, round))) return null
  const name = caller.state?.user || username === undefined ? null : guestName(deps, username)
  return deps.rounds.start(round, deps.poller.clock.timeAt(receivedAt), name)
}

async function isCurrent({ isCurrentRound }: Deps, { state }: Player, round: CurrentRound): Promise<boolean> {
  return state ? round.number === state.lastAttempt.round + 1 : isCurrentRound(round)
}

/** @throws {Problem} blank_username, bad_username; the title says what is wrong */
function guestName({ isRefusedName }: Deps, username: string): string {
  const check = checkName(username)
  if (!check.ok) throw new Problem(check.blank ? 'blank_username' : 'bad_username', { title: check.problem })
  if (isRefusedName(check.name)) throw new Problem('bad_username')
  return check.name
}

export interface Stop {
  readonly caller: Player
  readonly round: StartedRound
  readonly body: AttemptBody
  /** The monotonic time of arrival, ms. */
  readonly receivedAt: number
  readonly rereadState: () => Promise<PlayerState>
}

interface Next {
  readonly round: Round
  readonly prize: Prize | null
}

/**
 * Records a round's attempt once, however often it is sent.
 *
 * @throws {Problem} blank_username, bad_username
 * @throws the database's error when polling the clock fails
 */
export async function record(deps: Deps, stop: Stop): Promise<{ outcome: Outcome; next: Next }> {
  const outcome = await recordOnce(deps, stop)
  const { rounds } = deps
  if (outcome.kind === 'recorded') {
    const { attempt, prize } = outcome
    const { playerId, number } = stop.round
    return { outcome, next: { round: rounds.issueNext(playerId, { id: attempt.id, round: number }), prize } }
  }
  const { playerId, lastAttempt, prize } = await stop.rereadState()
  return { outcome, next: { round: rounds.issueNext(playerId, lastAttempt), prize } }
}

async function recordOnce(deps: Deps, stop: Stop): Promise<Outcome> {
  const submission = toSubmission(deps, stop)
  if (stop.round.playerId !== stop.caller.playerId) return { kind: 'stale_round' }
  const { expired, tooFast } = await compareClocks(deps, stop, submission.actualMs)
  if (!expired) return deps.recorder.record({ ...submission, reason: tooFast ? 'clock' : null })
  const outcome = await deps.recorder.recall(submission)
  return outcome.kind === 'stale_round' ? { kind: 'round_expired' } : outcome
}

/** Checks whether an attempt is too late or too fast. If so, polls the clock and checks once more. */
async function compareClocks(
  { clockToleranceMs, poller }: Deps,
  { round, receivedAt }: Stop,
  actualMs: number,
): Promise<{ expired: boolean; tooFast: boolean }> {
  const compare = () => {
    const elapsedMs = poller.clock.timeAt(receivedAt) - round.startedAt
    return {
      expired: elapsedMs > ROUND_LIFETIME_MS,
      tooFast: isTooFast(elapsedMs, actualMs, clockToleranceMs),
    }
  }
  const { expired, tooFast } = compare()
  if (!expired && !tooFast) return { expired, tooFast }
  await poller.poll()
  return compare()
}

function toSubmission(deps: Deps, { caller, round, body }: Stop): Submission {
  const user = caller.state?.user
  const { playerId, number, targetMs, username } = round
  return {
    playerId,
    round: number,
    userId: user?.id ?? null,
    // Uses the account's name for a user; for a guest, the name given at Start, or else at Stop.
    username: user?.username ?? username ?? guestName(deps, body.username),
    targetMs,
    actualMs: toMs(body.actual_time),
    reason: null,
  }
}

import type { AttemptBody, Prize, Round, Start } from '../../contract/api.ts'
import { checkName } from '../../contract/name.ts'
import { toMs } from '../../contract/time.ts'
import type { PlayerState } from '../people/authenticator.ts'
import type { Caller } from '../people/caller.ts'
import type { RefusedNameCheck } from '../people/refused-words.ts'
import { Problem } from '../problem.ts'
import type { Outcome, Recorder, Submission } from './recorder.ts'
import type { CurrentRound, Rounds, StartedRound } from './rounds.ts'

interface Deps {
  readonly isRefusedName: RefusedNameCheck
  readonly readStartTime: (round: CurrentRound) => Promise<Date | null>
  readonly recorder: Pick<Recorder, 'record'>
  readonly rounds: Pick<Rounds, 'start' | 'issueNext'>
}

type Player = Pick<Caller, 'playerId' | 'state'>

/**
 * Signs a start token for the caller's current round, with the time and the name.
 *
 * @returns null when the round belongs to another player, or is not current
 * @throws {Problem} blank_username, bad_username; only for a current round
 */
export async function start(
  deps: Deps,
  caller: Player,
  round: CurrentRound,
  username: string | undefined,
): Promise<Start | null> {
  if (round.playerId !== caller.playerId) return null
  const startedAt = await timeOfStart(deps, caller, round)
  if (!startedAt) return null
  const name = caller.state?.user || username === undefined ? null : guestName(deps, username)
  return deps.rounds.start(round, startedAt.getTime(), name)
}

/** Returns the database's time, read after the request arrived, or null when the round is not current. */
async function timeOfStart(
  { readStartTime }: Deps,
  { state }: Player,
  round: CurrentRound,
): Promise<Date | null> {
  if (!state) return readStartTime(round)
  return round.number === state.lastAttempt.round + 1 ? state.readAt : null
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
  return deps.recorder.record(submission)
}

function toSubmission(deps: Deps, { caller, round, body }: Stop): Submission {
  const user = caller.state?.user
  const { playerId, number, targetMs, startedAt, username } = round
  return {
    playerId,
    round: number,
    userId: user?.id ?? null,
    // Uses the account's name for a user; for a guest, the name given at Start, or else at Stop.
    username: user?.username ?? username ?? guestName(deps, body.username),
    targetMs,
    actualMs: toMs(body.actual_time),
    startedAt,
  }
}

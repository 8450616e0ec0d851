import type { AttemptBody, Prize, Round, Start } from '../../contract/api.ts'
import { checkName } from '../../contract/name.ts'
import { toMs } from '../../contract/time.ts'
import type { Caller, PlayerState } from '../people/caller.ts'
import type { RefusedNameCheck } from '../people/refused-words.ts'
import { Problem } from '../problem.ts'
import type { Submission } from './attempts.ts'
import type { Outcome, Recorder } from './recorder.ts'
import type { CurrentRound, Rounds, StartedRound } from './rounds.ts'

/** What a round needs to be started and recorded. */
export interface Play {
  readonly isRefusedName: RefusedNameCheck
  readonly readStartTime: (round: CurrentRound) => Promise<Date | null>
  readonly recorder: Pick<Recorder, 'record'>
  readonly rounds: Rounds
}

type Player = Pick<Caller, 'playerId' | 'state'>

/**
 * Signs a start token for the caller's current round, with the time and the name.
 *
 * @returns null when the round belongs to another player, or is not current
 * @throws {Problem} blank_username, bad_username; only for a current round
 */
export async function start(
  play: Play,
  caller: Player,
  round: CurrentRound,
  username: string | undefined,
): Promise<Start | null> {
  if (round.playerId !== caller.playerId) return null
  const startedAt = await timeOfStart(play, caller, round)
  if (!startedAt) return null
  const name = caller.state?.user || username === undefined ? null : guestName(play, username)
  return play.rounds.start(round, startedAt.getTime(), name)
}

/** Returns the database's time, read after the request arrived, or null when the round is not current. */
async function timeOfStart(
  { readStartTime }: Play,
  { state }: Player,
  round: CurrentRound,
): Promise<Date | null> {
  if (!state) return readStartTime(round)
  return round.number === state.lastAttempt.round + 1 ? state.readAt : null
}

/** @throws {Problem} blank_username, bad_username; the title says what is wrong */
function guestName({ isRefusedName }: Play, username: string): string {
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
export async function record(play: Play, stop: Stop): Promise<{ outcome: Outcome; next: Next }> {
  const outcome = await recordOnce(play, stop)
  const { rounds } = play
  if (outcome.kind === 'recorded') {
    const { attempt, prize } = outcome
    const { playerId, number } = stop.round
    return { outcome, next: { round: rounds.issueNext(playerId, { id: attempt.id, round: number }), prize } }
  }
  const { playerId, lastAttempt, prize } = await stop.rereadState()
  return { outcome, next: { round: rounds.issueNext(playerId, lastAttempt), prize } }
}

async function recordOnce(play: Play, stop: Stop): Promise<Outcome> {
  const submission = toSubmission(play, stop)
  if (stop.round.playerId !== stop.caller.playerId) return { kind: 'stale_round' }
  return play.recorder.record(submission)
}

function toSubmission(play: Play, { caller, round, body }: Stop): Submission {
  const user = caller.state?.user
  const { playerId, number, targetMs, startedAt, username } = round
  return {
    playerId,
    round: number,
    userId: user?.id ?? null,
    // Uses the account's name for a user; for a guest, the name given at Start, or else at Stop.
    username: user?.username ?? username ?? guestName(play, body.username),
    targetMs,
    actualMs: toMs(body.actual_time),
    startedAt,
  }
}

import type { AttemptBody, Recorded, Start } from '../../contract/api.ts'
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

/**
 * Records a round's attempt once, however often it is sent.
 *
 * @throws {Problem} blank_username, bad_username, stale_round, round_already_played, round_expired
 */
export async function record(play: Play, stop: Stop): Promise<{ isNew: boolean; answer: Recorded }> {
  const { caller, round, rereadState } = stop
  const submission = toSubmission(play, stop)
  const outcome: Outcome =
    round.playerId === caller.playerId ? await play.recorder.record(submission) : { kind: 'stale_round' }
  if (outcome.kind === 'recorded') {
    const { attempt, prize, reason } = outcome
    const next = play.rounds.issueNext(round.playerId, { id: attempt.id, round: round.number })
    return { isNew: true, answer: { attempt, verified: attempt.verified, reason, prize, round: next } }
  }
  const { playerId, lastAttempt, prize } = await rereadState()
  const next = play.rounds.issueNext(playerId, lastAttempt)
  if (outcome.kind !== 'repeated') throw new Problem(outcome.kind, { round: next })
  const { attempt, reason } = outcome
  return { isNew: false, answer: { attempt, verified: attempt.verified, reason, prize, round: next } }
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

import type { AttemptBody, Start } from '../../contract/api.ts'
import { checkName } from '../../contract/name.ts'
import { toMs } from '../../contract/time.ts'
import type { Names } from '../people/names.ts'
import type { Caller } from '../people/player.ts'
import { Problem } from '../problem.ts'
import type { Outcome, Recorder } from './recorder.ts'
import type { CurrentRound, Rounds, StartedRound } from './rounds.ts'

/** What a round needs to be started and recorded. */
export interface Play {
  readonly names: Pick<Names, 'isRefused'>
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
  caller: Player | null,
  round: CurrentRound,
  username: string | undefined,
): Promise<Start | null> {
  if (caller?.playerId !== round.playerId) return null
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
function guestName({ names }: Play, username: string): string {
  const check = checkName(username)
  if (!check.ok) throw new Problem(check.blank ? 'blank_username' : 'bad_username', { title: check.problem })
  if (names.isRefused(check.name)) throw new Problem('bad_username')
  return check.name
}

/**
 * Records a round's attempt once, however often it is sent.
 *
 * @throws {Problem} blank_username, bad_username
 */
export async function record(
  play: Play,
  caller: Player | null,
  round: StartedRound,
  body: AttemptBody,
): Promise<Outcome> {
  const user = caller?.state?.user
  const { playerId, number, targetMs, startedAt } = round
  // Uses the account's name for a user; for a guest, the name given at Start, or else at Stop.
  const username = user?.username ?? round.username ?? guestName(play, body.username)
  if (caller?.playerId !== playerId) return { kind: 'stale_round' }
  const actualMs = toMs(body.actual_time)
  const userId = user?.id ?? null
  return play.recorder.record({ playerId, round: number, userId, username, targetMs, actualMs, startedAt })
}

import type { AttemptBody, Start } from '../../contract/api.ts'
import { isTooFast } from '../../contract/clock.ts'
import { checkName } from '../../contract/name.ts'
import { ROUND_LIFETIME_MS } from '../../contract/rules.ts'
import { toMs } from '../../contract/time.ts'
import type { DatabaseClock } from '../database/clock.ts'
import type { RefusedNameCheck } from '../names/refused-words.ts'
import type { Visitor } from '../routes/callers.ts'
import { Problem } from '../problem.ts'
import type { Outcome, Recorder, Submission } from './recorder.ts'
import type { CurrentRound, Rounds, StartedRound } from './rounds.ts'

/** What Start and Stop need beside their round. */
interface Deps {
  readonly env: { readonly clockToleranceMs: number }
  readonly heartbeat: { readonly clock: Pick<DatabaseClock, 'timeAt'>; beat(): Promise<unknown> }
  readonly isCurrentRound: (round: CurrentRound) => Promise<boolean>
  readonly recorder: Recorder
  readonly isRefusedName: RefusedNameCheck
  readonly rounds: Pick<Rounds, 'start'>
}

/** The visitor who plays. */
type Player = Pick<Visitor, 'player' | 'identity'>

/**
 * Stamps the Start of the visitor's current round, with the name given.
 *
 * @param at when the request arrived, monotonic, ms
 * @returns null when the round is another player's or not the current one
 * @throws Problem `blank_username`, `bad_username`; the round is checked first
 */
export async function start(
  deps: Deps,
  visitor: Player,
  round: CurrentRound,
  username: string | undefined,
  at: number,
): Promise<Start | null> {
  if (round.player !== visitor.player || !(await isCurrent(deps, visitor, round))) return null
  const name = visitor.identity?.user || username === undefined ? null : guestName(deps, username)
  return deps.rounds.start(round, deps.heartbeat.clock.timeAt(at), name)
}

async function isCurrent(
  { isCurrentRound }: Deps,
  { identity }: Player,
  round: CurrentRound,
): Promise<boolean> {
  return identity ? round.number === identity.last.round + 1 : isCurrentRound(round)
}

/** @throws Problem `blank_username`, `bad_username` with what is wrong */
function guestName({ isRefusedName }: Deps, username: string): string {
  const check = checkName(username)
  if (!check.ok) throw new Problem(check.blank ? 'blank_username' : 'bad_username', { title: check.problem })
  if (isRefusedName(check.name)) throw new Problem('bad_username')
  return check.name
}

/**
 * Records the attempt of a round, once.
 *
 * @param at when the request arrived, monotonic, ms
 * @throws Problem `blank_username`, `bad_username`
 * @throws the database's error when its clock could not be read again
 */
export async function record(
  deps: Deps,
  visitor: Player,
  round: StartedRound,
  body: AttemptBody,
  at: number,
): Promise<Outcome> {
  const submission = toSubmission(deps, visitor, round, body)
  if (round.player !== visitor.player) return { kind: 'stale_round' }
  const { expired, tooFast } = await compareClocks(deps, round, submission.actualMs, at)
  if (!expired) return deps.recorder.record({ ...submission, reason: tooFast ? 'clock' : null })
  const outcome = await deps.recorder.recall(submission)
  return outcome.kind === 'stale_round' ? { kind: 'round_expired' } : outcome
}

/** Whether an attempt is too late or too fast. Before either counts against it, the database's clock is read again. */
async function compareClocks(
  { env, heartbeat }: Deps,
  { startedAt }: StartedRound,
  actualMs: number,
  at: number,
): Promise<{ expired: boolean; tooFast: boolean }> {
  const compare = () => {
    const elapsedMs = heartbeat.clock.timeAt(at) - startedAt
    return {
      expired: elapsedMs > ROUND_LIFETIME_MS,
      tooFast: isTooFast(elapsedMs, actualMs, env.clockToleranceMs),
    }
  }
  const { expired, tooFast } = compare()
  if (!expired && !tooFast) return { expired, tooFast }
  await heartbeat.beat()
  return compare()
}

function toSubmission(
  deps: Deps,
  { identity }: Player,
  { player, number, targetMs, username }: StartedRound,
  body: AttemptBody,
): Submission {
  const user = identity?.user
  return {
    player,
    round: number,
    userId: user?.id ?? null,
    // An account always plays under its own name; a guest under the name given at Start.
    username: user?.username ?? username ?? guestName(deps, body.username),
    targetMs,
    actualMs: toMs(body.actual_time),
    reason: null,
  }
}

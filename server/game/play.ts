import type { AttemptBody, Start, User } from '../../contract/api.ts'
import { isTooFast } from '../../contract/clock.ts'
import { checkName } from '../../contract/name.ts'
import { ROUND_LIFETIME_MS } from '../../contract/rules.ts'
import { toMs } from '../../contract/time.ts'
import type { DatabaseClock } from '../database/clock.ts'
import type { LastAttempt, PlayerId } from '../identity/player.ts'
import type { RefusedNameCheck } from '../identity/refused-words.ts'
import { Problem } from '../problem.ts'
import type { Recorded, Recorder, Repeated, Submission } from './recorder.ts'
import type { RoundInHand, Rounds, StartedRound } from './rounds.ts'

/** What a Start and a Stop need, beside the round that their token names. */
interface Deps {
  readonly env: { readonly clockToleranceMs: number }
  readonly heartbeat: { readonly clock: Pick<DatabaseClock, 'timeAt'>; beat(): Promise<unknown> }
  readonly isCurrentRound: (round: RoundInHand) => Promise<boolean>
  readonly recorder: Recorder
  readonly isRefusedName: RefusedNameCheck
  readonly rounds: Pick<Rounds, 'start'>
}

/** The player behind a Start or a Stop. */
export interface Sender {
  readonly player: PlayerId
  /** Null for a guest. */
  readonly user: User | null
  /** Null for a guest of whom only the signed cookie was read. */
  readonly last: LastAttempt | null
}

/**
 * Stamps the Start of the sender's current round, with the name that came along.
 *
 * @param at when the request arrived, monotonic, ms
 * @returns null for a round that is another player's or not, or no longer, the current one
 * @throws Problem `blank_username`, `bad_username`: a name is judged last, since only the round says whether it is a
 *   guest's
 */
export async function start(
  deps: Deps,
  sender: Sender,
  round: RoundInHand,
  username: string | undefined,
  at: number,
): Promise<Start | null> {
  if (round.player !== sender.player || !(await isCurrent(deps, sender, round))) return null
  const name = sender.user || username === undefined ? null : guestName(deps, username)
  return deps.rounds.start(round, deps.heartbeat.clock.timeAt(at), name)
}

async function isCurrent({ isCurrentRound }: Deps, { last }: Sender, round: RoundInHand): Promise<boolean> {
  return last ? round.number === last.round + 1 : isCurrentRound(round)
}

/** @throws Problem `blank_username`, `bad_username` with what is wrong */
function guestName({ isRefusedName }: Deps, username: string): string {
  const check = checkName(username)
  if (!check.ok) throw new Problem(check.blank ? 'blank_username' : 'bad_username', { title: check.problem })
  if (isRefusedName(check.name)) throw new Problem('bad_username')
  return check.name
}

/** Why an attempt was not recorded. */
interface Refused {
  readonly kind: 'refused'
  readonly code: 'stale_round' | 'round_already_played' | 'round_expired'
}

/** What became of an attempt; one that was recorded just now is the player's last. */
type Outcome = (Recorded & { readonly last: LastAttempt }) | Repeated | Refused

/**
 * Records the attempt of a round once, and says what became of it.
 *
 * @param at when the request arrived, monotonic, ms
 * @throws Problem `blank_username`, `bad_username`
 * @throws the database's error when its clock could not be read once more
 */
export async function record(
  deps: Deps,
  sender: Sender,
  round: StartedRound,
  body: AttemptBody,
  at: number,
): Promise<Outcome> {
  const submission = toSubmission(deps, sender, round, body)
  if (round.player !== sender.player) return { kind: 'refused', code: 'stale_round' }
  const { expired, tooFast } = await compareClocks(deps, round, submission.actualMs, at)
  const verdict = await (expired
    ? deps.recorder.recall(submission)
    : deps.recorder.record({ ...submission, reason: tooFast ? 'clock' : null }))
  if (verdict.kind === 'played') return { kind: 'refused', code: 'round_already_played' }
  if (verdict.kind === 'foreign') return { kind: 'refused', code: expired ? 'round_expired' : 'stale_round' }
  if (verdict.kind === 'repeated') return verdict
  return { ...verdict, last: { id: verdict.attempt.id, round: round.number } }
}

/** Whether an attempt is too late or too fast. Before anybody is refused for it the database's clock is read anew. */
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
  { user }: Sender,
  { player, number, targetMs, username }: StartedRound,
  body: AttemptBody,
): Submission {
  return {
    player,
    round: number,
    userId: user?.id ?? null,
    // What an account plays goes by the account's name, whatever was given; a guest's name is the one at Start.
    username: user?.username ?? username ?? guestName(deps, body.username),
    targetMs,
    actualMs: toMs(body.actual_time),
    reason: null,
  }
}

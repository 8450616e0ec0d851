import type { AttemptBody, Recorded, Start, StartBody } from '../../contract/api.ts'
import { isTooFast } from '../../contract/clock.ts'
import { checkName } from '../../contract/name.ts'
import { ROUND_LIFETIME_MS } from '../../contract/rules.ts'
import { toMs } from '../../contract/time.ts'
import type { Identity } from '../identity/identity.ts'
import { Problem } from '../problem.ts'
import type { Services } from '../services.ts'
import type { Submission, Verdict } from './recorder.ts'
import type { RoundInHand, StartedRound } from './rounds.ts'

type Needs = Pick<Services, 'env' | 'recorder' | 'refusedWords' | 'rounds' | 'currentRounds'>

/** Who plays, and how to find out where they stand now. */
export interface Sender {
  readonly player: string
  readonly user: Identity['user']
  /** As read with this request, before anything was done; null when a signed cookie said enough. */
  readonly identity: Identity | null
  /** Reads the visitor anew; a new one when the credentials name nobody any more. */
  now(): Promise<Identity>
}

/**
 * Stamps the Start of a visitor's current round, with the name that came along.
 *
 * @param at when the request arrived, wall clock, ms
 * @throws Problem `bad_token`, `stale_round` with the current round, then `blank_username`, `bad_username`: a name is
 *   judged last, since only the round says whether it is a guest's
 */
export async function start(needs: Needs, sender: Sender, body: StartBody, at: number): Promise<Start> {
  const { rounds, currentRounds } = needs
  const round = rounds.readRound(body.round)
  const isGuests = sender.user === null && round.player === sender.player
  if (isGuests && (await currentRounds.isCurrent(round))) return stamp(needs, round, body, at)
  const identity = sender.identity ?? (await sender.now())
  const current = rounds.next(identity.player, identity.last)
  if (round.player !== current.player || round.number !== current.number) {
    throw new Problem('stale_round', { round: rounds.issue(current) })
  }
  return identity.user ? rounds.start(current, at) : stamp(needs, current, body, at)
}

function stamp(needs: Needs, round: RoundInHand, { username }: StartBody, at: number): Start {
  return needs.rounds.start(round, at, username === undefined ? null : guestName(needs, username))
}

/** @throws Problem `blank_username`, `bad_username` with what is wrong */
function guestName({ refusedWords }: Needs, username: string): string {
  const check = checkName(username)
  if (!check.ok) throw new Problem(check.blank ? 'blank_username' : 'bad_username', { title: check.problem })
  if (refusedWords.refuse(check.name)) throw new Problem('bad_username')
  return check.name
}

/**
 * Records the attempt of a round once, and says what became of it.
 *
 * @param at when the request arrived, wall clock, ms
 * @returns the answer, and whether it was recorded just now or before
 * @throws Problem `blank_username`, `bad_username`, `bad_token`, `round_expired`, `round_already_played`,
 *   `stale_round`
 */
export async function record(
  services: Needs,
  sender: Sender,
  body: AttemptBody,
  at: number,
): Promise<{ answer: Recorded; repeated: boolean }> {
  const { rounds, recorder } = services
  const round = rounds.readStart(body.start)
  const submission = describe(services, sender, round, body, at)
  if (round.player !== sender.player) throw await refuse(services, 'stale_round', sender)
  const expired = at - round.startedAt > ROUND_LIFETIME_MS
  const verdict = await (expired ? recorder.recall(submission) : recorder.record(submission))
  if (verdict.kind === 'played') throw await refuse(services, 'round_already_played', sender)
  if (verdict.kind === 'foreign')
    throw await refuse(services, expired ? 'round_expired' : 'stale_round', sender)
  return {
    answer: await answer(services, sender, round, verdict),
    repeated: verdict.kind === 'repeated',
  }
}

function describe(
  needs: Needs,
  { user }: Sender,
  round: StartedRound,
  body: AttemptBody,
  at: number,
): Submission {
  // What an account plays goes by the account's name, whatever was given; a guest's name is the one at Start.
  const username = user?.username ?? round.username ?? guestName(needs, body.username)
  const actualMs = toMs(body.actual_time)
  const tooFast = isTooFast(at - round.startedAt, actualMs, needs.env.clockToleranceMs)
  return {
    player: round.player,
    round: round.number,
    userId: user?.id ?? null,
    username,
    targetMs: round.targetMs,
    actualMs,
    reason: tooFast ? 'clock' : null,
  }
}

async function answer(
  { rounds }: Needs,
  sender: Sender,
  { player, number }: StartedRound,
  verdict: Extract<Verdict, { attempt: unknown }>,
): Promise<Recorded> {
  const { attempt, reason } = verdict
  const { verified } = attempt
  if (verdict.kind === 'recorded') {
    const round = rounds.issue(rounds.next(player, { id: attempt.id, round: number }))
    return { attempt, verified, reason, prize: verdict.prize, round }
  }
  const identity = await sender.now()
  const round = rounds.issue(rounds.next(identity.player, identity.last))
  return { attempt, verified, reason, prize: identity.prize, round }
}

async function refuse(
  { rounds }: Needs,
  code: 'stale_round' | 'round_already_played' | 'round_expired',
  sender: Sender,
): Promise<Problem> {
  const identity = await sender.now()
  return new Problem(code, { round: rounds.issue(rounds.next(identity.player, identity.last)) })
}

import type { Attempt, AttemptList, MyAttemptList, PlayerRecord, Reason } from '../../contract/api.ts'
import { MY_ATTEMPTS, RECENT_ATTEMPTS, TAPS_PER_ATTEMPT } from '../../contract/rules.ts'
import { toSeconds } from '../../contract/time.ts'
import type { Database } from '../database/connection.ts'
import type { NameMask } from '../people/names.ts'
import { NO_RECORD, type PlayerId } from '../people/player.ts'

export interface Submission {
  readonly playerId: PlayerId
  readonly round: number
  /** The user's ID, or null for a guest. */
  readonly userId: number | null
  readonly username: string
  readonly targetMs: number
  readonly actualMs: number
  /** The database's time at Start, ms since the epoch. */
  readonly startedAt: number
}

export interface AttemptRow extends Omit<Attempt, 'created_at'> {
  readonly reason: Reason | null
  readonly created_at: Date
}

/** Joins with one index lookup per row: docs/decisions/0017-plans.md. */
export const ATTEMPT_JOINS = `
  left join lateral (
    select taps, claimed_by from prize_ends where prize_ends.attempt_id = attempts.id limit 1
  ) as prize on true
  left join lateral (
    select username from users where users.id = coalesce(attempts.user_id, prize.claimed_by) limit 1
  ) as account on true`

/**
 * The columns of an attempt, with a user's current name or the guest's name as recorded. A guest's win that a
 * user has claimed is the user's. Omits the player's record, which only the player sees, and `flagged`, the
 * reason that earlier releases gave to too steady players.
 */
export const ATTEMPT_COLUMNS = `
  attempts.id, coalesce(account.username, attempts.username) as username,
  attempts.user_id is null and prize.claimed_by is null as is_guest,
  attempts.target_time, attempts.actual_time, attempts.difference, attempts.taps_added,
  prize.claimed_by is not null as claimed,
  attempts.verified, nullif(attempts.reason, 'flagged') as reason, prize.taps as won_taps, attempts.created_at`

/** Returns an attempt that a query has read. */
export function toAttempt(row: AttemptRow): Attempt {
  const { reason: _, created_at, ...shown } = row
  return { ...shown, created_at: created_at.toISOString() }
}

/** The place in the batch of an attempt that arrived too late to be recorded. */
export interface LateRow {
  place: number
  id: null
}

export interface RecordedRow {
  place: number
  id: number
  username: string
  created_at: Date
  reason: Reason | null
  won_taps: number | null
  held_taps: number
  held_until: Date | null
  /** The player's record, with this attempt in it. */
  best: number | null
  streak: number
}

/** Returns an attempt that has just been recorded. */
export function recordedAttempt({ userId, targetMs, actualMs }: Submission, row: RecordedRow): Attempt {
  const { id, username, reason, won_taps, created_at } = row
  return {
    id,
    username,
    is_guest: userId === null,
    target_time: toSeconds(targetMs),
    actual_time: toSeconds(actualMs),
    difference: toSeconds(actualMs - targetMs),
    taps_added: TAPS_PER_ATTEMPT,
    claimed: false,
    verified: reason === null,
    won_taps,
    created_at: created_at.toISOString(),
  }
}

export async function recentAttempts(database: Database, mask: NameMask): Promise<AttemptList> {
  const { rows } = await database.query<AttemptRow>({
    name: 'recent_attempts',
    text: `
      select ${ATTEMPT_COLUMNS}
      from attempts ${ATTEMPT_JOINS}
      order by attempts.id desc limit ${RECENT_ATTEMPTS}`,
  })
  return { attempts: rows.map(row => toAttempt({ ...row, username: mask(row.username) })) }
}

/** Reads a player's most recent attempts, newest first, and the record with all of them in it. */
export async function attemptsOf(database: Database, player: PlayerId): Promise<MyAttemptList> {
  const { rows } = await database.query<AttemptRow & PlayerRecord>({
    name: 'attempts_of',
    text: `
      select ${ATTEMPT_COLUMNS}, last.round as rounds, last.best, last.streak
      from attempts ${ATTEMPT_JOINS}
      cross join last_attempt($1) as last
      where attempts.player = $1
      order by attempts.round desc limit ${MY_ATTEMPTS}`,
    values: [player],
  })
  const split = rows.map(({ rounds, best, streak, ...row }) => ({ row, record: { rounds, best, streak } }))
  return { attempts: split.map(({ row }) => toAttempt(row)), record: split[0]?.record ?? NO_RECORD }
}

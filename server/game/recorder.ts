import { EventEmitter } from 'node:events'
import type { Attempt, Prize, Reason } from '../../contract/api.ts'
import { judge, TAPS_PER_ATTEMPT } from '../../contract/rules.ts'
import { toMs } from '../../contract/time.ts'
import type { PlayerId } from '../callers/player.ts'
import { toPrize } from '../callers/prize.ts'
import type { DatabaseClock } from '../database/clock.ts'
import { type Database, isBadRow } from '../database/pool.ts'
import { batched, type Settled } from '../lib/batch.ts'
import {
  ATTEMPT_COLUMNS,
  ATTEMPT_JOINS,
  type AttemptRow,
  newlyRecorded,
  type RecordedRow,
  toAttempt,
} from './attempts.ts'

export interface Submission {
  readonly playerId: PlayerId
  readonly round: number
  /** The user's ID, or null for a guest. */
  readonly userId: number | null
  readonly username: string
  readonly targetMs: number
  readonly actualMs: number
  /** The reason why the attempt cannot win; the database adds `flagged`. */
  readonly reason: Reason | null
}

export type Outcome =
  /** `prize` contains all TAPS held for the player. */
  | {
      readonly kind: 'recorded'
      readonly attempt: Attempt
      readonly reason: Reason | null
      readonly prize: Prize | null
    }
  | { readonly kind: 'repeated'; readonly attempt: Attempt; readonly reason: Reason | null }
  /** The kind is the problem's code. */
  | { readonly kind: 'round_already_played' | 'stale_round' | 'round_expired' }

/** Attempts per batch; a full batch of wins locks the pool row for 10 ms. */
export const BATCH_SIZE = 150
/** The most attempts that may wait: about half a second's work. */
const MAX_WAITING = 10_000

interface RecorderEvents {
  /** Emitted after each commit. */
  recorded: [attempts: number, wins: readonly Submission[]]
  /** Emitted when a batch is refused or its answer is lost. */
  failed: []
}

/** Writes attempts in batches. Each batch takes one statement, one transaction and one flush to disk. */
export class Recorder extends EventEmitter<RecorderEvents> {
  readonly #database: Database
  readonly #clock: Pick<DatabaseClock, 'now'>
  readonly #holdMinutes: number
  readonly record: (submission: Submission) => Promise<Outcome>

  constructor(database: Database, clock: Pick<DatabaseClock, 'now'>, holdMinutes: number) {
    super()
    this.#database = database
    this.#clock = clock
    this.#holdMinutes = holdMinutes
    this.record = batched(batch => this.#recordBatch(batch), { size: BATCH_SIZE, waiting: MAX_WAITING })
  }

  /** Finds the recorded attempt of a round; the outcome is `stale_round` when there is none. */
  async recall(submission: Submission): Promise<Outcome> {
    return compare(submission, (await this.#readRecorded([submission])).get(submission))
  }

  async #recordBatch(batch: Submission[]): Promise<Settled<Outcome>[]> {
    try {
      return await this.#write(batch)
    } catch (error) {
      if (!isBadRow(error)) {
        this.emit('failed')
        throw error
      }
      if (batch.length === 1) return [error]
    }
    // Retries one by one, because a row that the database refuses must not fail the others.
    const outcomes: Settled<Outcome>[] = []
    for (const submission of batch) outcomes.push(...(await this.#recordBatch([submission])))
    return outcomes
  }

  async #write(batch: Submission[]): Promise<Outcome[]> {
    const rows = await this.#insert(batch)
    const recorded = new Map(rows.map(row => [row.place - 1, row]))
    const wins = batch.filter((_, place) => (recorded.get(place)?.won_taps ?? null) !== null)
    // The batch is committed, even if the read below fails.
    if (rows.length > 0) this.emit('recorded', rows.length, wins)
    const left = batch.filter((_, place) => !recorded.has(place))
    const earlier = await this.#readRecorded(left)
    return batch.map((submission, place) => {
      const row = recorded.get(place)
      return row ? this.#recorded(submission, row) : compare(submission, earlier.get(submission))
    })
  }

  #recorded(submission: Submission, row: RecordedRow): Outcome {
    const prize = toPrize(row.held_taps, row.held_until, this.#clock.now())
    return { kind: 'recorded', attempt: newlyRecorded(submission, row), reason: row.reason, prize }
  }

  async #insert(batch: Submission[]): Promise<RecordedRow[]> {
    const { rows } = await this.#database.query<RecordedRow>({
      name: 'record_attempts',
      text: 'select * from record_attempts($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)',
      values: [
        batch.map(({ playerId }) => playerId),
        batch.map(({ round }) => round),
        batch.map(({ userId }) => userId),
        batch.map(({ username }) => username),
        batch.map(({ targetMs }) => targetMs),
        batch.map(({ actualMs }) => actualMs),
        batch.map(({ reason }) => reason),
        batch.map(({ targetMs, actualMs, reason }) => reason === null && judge(targetMs, actualMs).wins),
        TAPS_PER_ATTEMPT,
        `${this.#holdMinutes} minutes`,
      ],
    })
    return rows
  }

  /**
   * Finds the attempts already recorded for these rounds. A guest's submission never finds a user's attempt.
   */
  async #readRecorded(submissions: Submission[]): Promise<Map<Submission | undefined, AttemptRow>> {
    if (submissions.length === 0) return new Map()
    const { rows } = await this.#database.query<AttemptRow & { place: number }>({
      name: 'earlier_attempts',
      text: `
        select played.place, ${ATTEMPT_COLUMNS}
        from unnest($1::uuid[], $2::integer[], $3::bigint[])
          with ordinality as played (player, round, user_id, place)
        cross join lateral (
          select * from attempts
          where attempts.player = played.player and attempts.round = played.round limit 1
        ) as attempts
        ${ATTEMPT_JOINS}
        where played.user_id is not null
          or not exists (select from account_players where account_players.player = played.player offset 0)`,
      values: [
        submissions.map(({ playerId }) => playerId),
        submissions.map(({ round }) => round),
        submissions.map(({ userId }) => userId),
      ],
    })
    return new Map(rows.map(({ place, ...row }) => [submissions[place - 1], row]))
  }
}

function compare({ actualMs }: Submission, earlier: AttemptRow | undefined): Outcome {
  if (!earlier) return { kind: 'stale_round' }
  if (toMs(earlier.actual_time) !== actualMs) return { kind: 'round_already_played' }
  return { kind: 'repeated', attempt: toAttempt(earlier), reason: earlier.reason }
}

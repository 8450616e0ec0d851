import { EventEmitter } from 'node:events'
import type { Attempt, PlayerRecord, Reason } from '../../contract/api.ts'
import { judge, ROUND_LIFETIME_MS, TAPS_PER_ATTEMPT } from '../../contract/rules.ts'
import { toMs } from '../../contract/time.ts'
import { type Database, isBadRow } from '../database/connection.ts'
import { batched, type Settled } from '../lib/batch.ts'
import { toPrize } from '../people/held-prize.ts'
import { hadAccount, type PlayerState } from '../people/player.ts'
import type { Env } from '../settings.mjs'
import {
  ATTEMPT_COLUMNS,
  ATTEMPT_JOINS,
  type AttemptRow,
  type LateRow,
  type RecordedRow,
  recordedAttempt,
  type Submission,
  toAttempt,
} from './attempts.ts'

type Settings = Pick<Env, 'clockToleranceMs' | 'prizeHoldMinutes'>

interface Judged {
  readonly attempt: Attempt
  /** Why the attempt cannot win, or null. */
  readonly reason: Reason | null
}

export type Outcome =
  /** `state` is the player's state after the attempt; its prize contains all TAPS held. */
  | (Judged & {
      readonly kind: 'recorded'
      readonly state: Pick<PlayerState, 'playerId' | 'lastAttempt' | 'record' | 'prize'>
    })
  /** `record` is null for an attempt of an earlier release, which carries none. */
  | (Judged & { readonly kind: 'repeated'; readonly record: PlayerRecord | null })
  /** The kind is the problem's code. */
  | { readonly kind: 'round_already_played' | 'stale_round' | 'round_expired' }

/** Attempts per batch; a full batch of wins locks the pool row for 10 ms. */
const BATCH_SIZE = 150
/** The most attempts that may wait: about half a second's work. */
const MAX_WAITING = 10_000

/** An attempt that was recorded earlier, with the record that it carries. */
interface EarlierRow extends AttemptRow {
  readonly best: number | null
  readonly streak: number | null
}

interface RecorderEvents {
  /** Emitted after each commit. */
  recorded: [attempts: number, wins: number]
  /** Emitted when a batch is refused or its answer is lost. */
  failed: []
}

/** Writes attempts in batches. Each batch takes one statement, one transaction and one flush to disk. */
export class Recorder extends EventEmitter<RecorderEvents> {
  readonly #database: Database
  readonly #settings: Settings
  readonly record: (submission: Submission) => Promise<Outcome>

  constructor(database: Database, settings: Settings) {
    super()
    this.#database = database
    this.#settings = settings
    this.record = batched(batch => this.#recordBatch(batch), { size: BATCH_SIZE, waiting: MAX_WAITING })
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
    const recorded = new Map(rows.flatMap(row => (row.id === null ? [] : [[row.place - 1, row]])))
    const late = new Set(rows.flatMap(({ id, place }) => (id === null ? [place - 1] : [])))
    const wins = Array.from(recorded.values()).filter(({ won_taps }) => won_taps !== null)
    // The batch is committed, even if the read below fails.
    if (recorded.size > 0) this.emit('recorded', recorded.size, wins.length)
    const left = batch.filter((_, place) => !recorded.has(place))
    const earlier = await this.#readRecorded(left)
    return batch.map((submission, place) => {
      const row = recorded.get(place)
      if (row) return toRecorded(submission, row)
      const kind = late.has(place) ? 'round_expired' : 'stale_round'
      return compare(submission, earlier.get(submission)) ?? { kind }
    })
  }

  /** Leaves the comparison of the clocks to the database, whose time at Stop is the time of this query. */
  async #insert(batch: Submission[]): Promise<(RecordedRow | LateRow)[]> {
    const { clockToleranceMs, prizeHoldMinutes } = this.#settings
    const { rows } = await this.#database.query<RecordedRow | LateRow>({
      name: 'record_batch',
      text: 'select * from record_batch($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)',
      values: [
        batch.map(({ playerId }) => playerId),
        batch.map(({ round }) => round),
        batch.map(({ userId }) => userId),
        batch.map(({ username }) => username),
        batch.map(({ targetMs }) => targetMs),
        batch.map(({ actualMs }) => actualMs),
        batch.map(({ startedAt }) => startedAt),
        batch.map(({ targetMs, actualMs }) => judge(targetMs, actualMs).wins),
        TAPS_PER_ATTEMPT,
        `${prizeHoldMinutes} minutes`,
        clockToleranceMs,
        ROUND_LIFETIME_MS,
      ],
    })
    return rows
  }

  /**
   * Finds the attempts already recorded for these rounds. A guest's submission never finds a user's attempt.
   */
  async #readRecorded(submissions: Submission[]): Promise<Map<Submission | undefined, EarlierRow>> {
    if (submissions.length === 0) return new Map()
    const { rows } = await this.#database.query<EarlierRow & { place: number }>({
      name: 'earlier_attempts',
      text: `
        select played.place, ${ATTEMPT_COLUMNS}, attempts.best, attempts.streak
        from unnest($1::uuid[], $2::integer[], $3::bigint[])
          with ordinality as played (player, round, user_id, place)
        cross join lateral (
          select * from attempts
          where attempts.player = played.player and attempts.round = played.round limit 1
        ) as attempts
        ${ATTEMPT_JOINS}
        where played.user_id is not null
          or not ${hadAccount('played.player')}`,
      values: [
        submissions.map(({ playerId }) => playerId),
        submissions.map(({ round }) => round),
        submissions.map(({ userId }) => userId),
      ],
    })
    return new Map(rows.map(({ place, ...row }) => [submissions[place - 1], row]))
  }
}

function toRecorded(submission: Submission, row: RecordedRow): Outcome {
  const { playerId, round } = submission
  const prize = toPrize(row.held_taps, row.held_until, row.created_at)
  const record = { rounds: round, best: row.best, streak: row.streak }
  const state = { playerId, lastAttempt: { id: row.id, round }, record, prize }
  return { kind: 'recorded', attempt: recordedAttempt(submission, row), reason: row.reason, state }
}

function compare({ round, actualMs }: Submission, earlier: EarlierRow | undefined): Outcome | undefined {
  if (!earlier) return undefined
  const { best, streak, ...row } = earlier
  if (toMs(row.actual_time) !== actualMs) return { kind: 'round_already_played' }
  const record = streak === null ? null : { rounds: round, best, streak }
  return { kind: 'repeated', attempt: toAttempt(row), reason: row.reason, record }
}

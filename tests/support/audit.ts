import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Attempt } from '../../contract/api.ts'
import { checkLedger } from '../../server/commands/ledger.ts'
import { type Connection, clientConfig } from '../../server/database/connection.ts'
import { isTransientError } from '../../server/database/connection-errors.ts'

const RETRY_MS = 20

/** An attempt as an answer told it. */
export type Acknowledged = Pick<Attempt, 'id' | 'target_time' | 'actual_time' | 'won_taps'>

/** Everything that players were told. */
export interface Told {
  readonly acknowledged: readonly Acknowledged[]
  /** The balance that each user must have after the answered claims, by name. */
  readonly credited: ReadonlyMap<string, number>
}

/** Reads the database from outside the game, and retries while the database is unavailable. */
export class Auditor {
  readonly #pool: pg.Pool

  /**
   * @param patience - The timeout of a read. Defaults to the server's timeout, so that reads of a hanging
   * database are retried.
   */
  constructor(connection: Connection, patience: Pick<pg.PoolConfig, 'query_timeout'> = {}) {
    this.#pool = new pg.Pool({
      ...clientConfig(connection),
      ...patience,
      application_name: 'auditor',
      max: 4,
    })
    // Ignores errors, because tests kill the database on purpose.
    this.#pool.on('error', () => undefined)
  }

  async read<Result>(read: (pool: pg.Pool) => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await read(this.#pool)
      } catch (error) {
        if (!isTransientError(error)) throw error
        await sleep(RETRY_MS)
      }
    }
  }

  rows<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.read(async pool => (await pool.query<Row>(text, values)).rows)
  }

  /** Runs a statement without retries. */
  async once(text: string): Promise<void> {
    await this.#pool.query(text)
  }

  /**
   * Finds what the database lacks of what players were told: attempts with their values and prizes, and
   * claimed TAPS, unless a ban took them back.
   *
   * @param names - A pattern of names whose attempts must all be acknowledged.
   */
  lost({ acknowledged, credited }: Told, names: string | null = null): Promise<string[]> {
    return this.#lines(
      `with told as (
        select * from json_to_recordset($1)
          as told (id bigint, target_time numeric, actual_time numeric, won_taps bigint)
      )
      select 'attempt lost: ' || told::text as line from told where not exists (
        select from attempts left join prizes on attempt_id = id
        where (id, target_time, actual_time) = (told.id, told.target_time, told.actual_time)
          and taps is not distinct from told.won_taps
      )
      union all
      select 'attempt acknowledged twice: ' || id from told group by id having count(*) > 1
      union all
      select 'attempt recorded twice: ' || id from attempts
      where username like $3 and not exists (select from told where told.id = attempts.id)
      union all
      select format('balance of %s below %s TAPS', key, value) from json_each_text($2)
      left join users on username = key where taps_balance + taken_back >= value::bigint is not true`,
      [JSON.stringify(acknowledged), Object.fromEntries(credited), names],
    )
  }

  /**
   * Finds contradictions between ledger, balances, holds, prizes and attempts, such as TAPS that are counted
   * twice.
   */
  async contradictions(): Promise<string[]> {
    const found = await this.#lines(`
      select 'hold moved into a hold that was moved or can expire: ' || moved.id as line
      from holds as moved join holds as target on target.id = moved.moved_to
      where target.moved_to is not null or target.held_until is not null
      union all
      select 'sums of held prizes and of open holds differ: ' || held.taps || ', ' || open.taps
      from (select coalesce(sum(taps), 0) as taps from prize_ends where ended_at is null) as held
      cross join (select coalesce(sum(taps), 0) as taps from holds where ended_at is null) as open
      where held.taps <> open.taps
      union all
      select 'gap in the rounds of player ' || player from attempts
      group by player having max(round) <> count(*)`)
    const { ok, lines } = await this.read(checkLedger)
    return [...found, ...(ok ? [] : lines)]
  }

  /**
   * Finds the prizes that differ from the number of attempts since the previous win. Valid only if no prize
   * has returned to the pool.
   */
  unshared(): Promise<string[]> {
    // Ids and prizes have the same order, because the pool lock covers ids and prizes.
    return this.#lines(`
      with ordered as (
        select attempts.id, prizes.taps, row_number() over (order by attempts.id) as place
        from attempts left join prizes on prizes.attempt_id = attempts.id
      ), won as (
        select id, taps, place - coalesce(lag(place) over (order by id), 0) as fair from ordered where taps > 0
      )
      select id || ' won ' || taps || ', not ' || fair as line from won where taps <> fair`)
  }

  get isClosed(): boolean {
    return this.#pool.ending
  }

  close(): Promise<void> {
    return this.#pool.end()
  }

  async #lines(text: string, values?: unknown[]): Promise<string[]> {
    return (await this.rows<{ line: string }>(text, values)).map(({ line }) => line)
  }
}

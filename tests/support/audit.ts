import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Connection, clientConfig } from '../../server/database/connection.ts'
import { isTransientError } from '../../server/database/connection-errors.ts'
import { checkLedger, isBalanced, type Ledger, readLedger } from '../../server/play/ledger.ts'

const RETRY_MS = 20

export interface Acknowledged {
  readonly id: number
  readonly targetTime: number
  readonly actualTime: number
  readonly wonTaps: number | null
}

/** A user whose claim was answered, and the balance that this user must have. */
export interface Credited {
  readonly username: string
  readonly balance: number
}

export interface Endings {
  readonly held: number
  readonly claimed: number
  readonly returned: number
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

  async once(text: string): Promise<void> {
    await this.#pool.query(text)
  }

  /** Finds the acknowledged attempts that the database lacks or has with other values. */
  async lost(acknowledged: readonly Acknowledged[]): Promise<Acknowledged[]> {
    const rows = await this.#rows<{ place: number }>(
      `select place from unnest($1::bigint[], $2::numeric[], $3::numeric[], $4::bigint[]) with ordinality
        as expected (id, target_time, actual_time, won_taps, place)
      where not exists (
        select from attempts left join prizes on prizes.attempt_id = attempts.id
        where attempts.id = expected.id and attempts.target_time = expected.target_time
          and attempts.actual_time = expected.actual_time and prizes.taps is not distinct from expected.won_taps
      )`,
      [
        acknowledged.map(({ id }) => id),
        acknowledged.map(({ targetTime }) => targetTime),
        acknowledged.map(({ actualTime }) => actualTime),
        acknowledged.map(({ wonTaps }) => wonTaps),
      ],
    )
    return rows.flatMap(({ place }) => acknowledged[place - 1] ?? [])
  }

  async durability(): Promise<string[]> {
    const rows = await this.#rows<{ setting: string }>(
      `select name || ' ' || setting as setting from pg_settings
      where name in ('fsync', 'full_page_writes', 'synchronous_commit') order by name`,
    )
    return rows.map(({ setting }) => setting)
  }

  async attempts(): Promise<number> {
    const [row] = await this.#rows<{ count: number }>('select count(*)::integer as count from attempts')
    return row?.count ?? 0
  }

  /** Finds the accounts whose balance in the database is below the acknowledged balance. */
  async unpaid(credited: readonly Credited[]): Promise<string[]> {
    const rows = await this.#rows<{ username: string }>(
      `select expected.username from unnest($1::text[], $2::bigint[]) as expected (username, balance)
      left join users on users.username = expected.username
      where users.taps_balance is null or users.taps_balance < expected.balance`,
      [credited.map(({ username }) => username), credited.map(({ balance }) => balance)],
    )
    return rows.map(({ username }) => username)
  }

  async endings(): Promise<Endings> {
    const [row] = await this.#rows<Endings>(`
      select
        count(*) filter (where ended_at is null)::integer as held,
        count(*) filter (where claimed_by is not null)::integer as claimed,
        count(*) filter (where ended_at is not null and claimed_by is null)::integer as returned
      from prize_ends`)
    return row ?? { held: 0, claimed: 0, returned: 0 }
  }

  /**
   * Finds contradictions between ledger, balances, holds, prizes and attempts, such as TAPS that are counted
   * twice.
   */
  async contradictions(): Promise<string[]> {
    const rows = await this.#rows<{ what: string }>(`
      select 'hold moved into a hold that was moved or can expire: ' || moved.id as what
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
    return [...rows.map(({ what }) => what), ...(ok ? [] : lines)]
  }

  /**
   * Finds the prizes that differ from the number of attempts since the previous win. Valid only if no prize
   * has returned to the pool.
   */
  async shared(): Promise<string[]> {
    // Ids and prizes have the same order, because the pool lock covers ids and prizes.
    const rows = await this.#rows<{ what: string }>(`
      with ordered as (
        select attempts.id, prizes.taps, row_number() over (order by attempts.id) as place
        from attempts left join prizes on prizes.attempt_id = attempts.id
      ), won as (
        select id, taps, place - coalesce(lag(place) over (order by id), 0) as fair from ordered where taps > 0
      )
      select id || ' won ' || taps || ', not ' || fair as what from won where taps <> fair`)
    return rows.map(({ what }) => what)
  }

  /** Reads the ledger; returns null when the ledger is balanced. */
  async unbalanced(): Promise<Ledger | null> {
    const ledger = await this.read(readLedger)
    return isBalanced(ledger) ? null : ledger
  }

  get isClosed(): boolean {
    return this.#pool.ending
  }

  close(): Promise<void> {
    return this.#pool.end()
  }

  async #rows<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.read(async pool => (await pool.query<Row>(text, values)).rows)
  }
}

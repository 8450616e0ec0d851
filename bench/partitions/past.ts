/** Attempts are spread evenly over this many months, the last of which is not over. */
const MONTHS = 12
/** One of so many wins, and takes what they have added. */
export const WIN_EVERY = 50
const ROUNDS_EACH = 20
const LEAST = 10_000

/** A month as a partition: from its first instant to that of the next. */
export interface Month {
  readonly table: string
  readonly from: string
  readonly to: string
}

/**
 * What has happened before, as SQL: player p of attempt n is (n - 1) % players. Those with an even p have accounts, of
 * which every second one has claimed all that it won; what guests won went back to the pool.
 */
export class Past {
  readonly attempts: number
  /** Prime to WIN_EVERY, so that everybody wins now and then. */
  readonly players: number
  /** The oldest first. */
  readonly months: readonly Month[]
  readonly #now: Date

  /** @throws Error when there would be hardly anybody who wins */
  constructor(attempts: number, now = new Date()) {
    if (!Number.isInteger(attempts) || attempts < LEAST) throw new Error(`At least ${LEAST} attempts`)
    this.attempts = attempts
    this.players = Math.floor(attempts / ROUNDS_EACH / 10) * 10 + 1
    this.months = Array.from({ length: MONTHS }, (_, place) => monthOf(now, place + 1 - MONTHS))
    this.#now = now
  }

  get oldest(): Month {
    const [month] = this.months
    if (!month) throw new Error('There is at least one month')
    return month
  }

  /** Fills the table of attempts; a row goes where its time belongs. */
  fillAttempts(): string {
    const began = new Date(this.oldest.from)
    const stepUs = Math.floor(((this.#now.getTime() - began.getTime()) * 1_000) / this.attempts)
    return `
      insert into attempts
        (id, player, round, user_id, username, target_time, actual_time, difference, created_at)
      overriding system value
      select
        id, ${player('p')}, (id - 1) / ${this.players} + 1, case when p % 2 = 0 then p / 2 + 1 end,
        'Quick Otter ' || p % 1000, target, target + away, away,
        timestamptz '${began.toISOString()}' + id * ${stepUs} * interval '1 microsecond'
      from (
        select
          id, (id - 1) % ${this.players} as p, 1 + id * 7 % 401 * 0.01 as target,
          case when id % ${WIN_EVERY} = 0 then id % 201 - 100 else 101 + id % 800 end * 0.001 as away
        from (select generate_series(1::bigint, ${this.attempts}) as id) as ids
      ) as played`
  }

  /**
   * Fills all other tables, so that the ledger is in balance.
   *
   * @param prizeColumns with the winner, where a prize has one
   */
  fillRest(prizeColumns: string): string {
    const last = this.attempts
    return `
      create temp table won on commit drop as
      select ${WIN_EVERY} * w as attempt_id, (${WIN_EVERY} * w - 1) % ${this.players} as p
      from generate_series(1::bigint, ${last} / ${WIN_EVERY}) as w;

      create temp table winners on commit drop as
      select p, ${player('p')} as player, count(*) * ${WIN_EVERY} as taps from won group by p;

      insert into prizes (${prizeColumns})
      select ${prizeColumns} from (select attempt_id, ${WIN_EVERY} as taps, ${player('p')} as player from won) as prizes;

      insert into users (id, username, username_key, password_hash, taps_balance, player) overriding system value
      select
        p / 2 + 1, 'Player ' || p, 'player' || p, repeat('x', 60),
        case when p % 4 = 0 then coalesce(taps, 0) else 0 end, ${player('p')}
      from generate_series(0::bigint, ${this.players - 1}, 2) as p left join winners using (p);

      insert into transfers (kind, player, to_player, taps, through, round)
      select 'brought', player, player, 0, 0, 0 from users;
      insert into transfers (kind, player, user_id, taps, through)
      select case when p % 4 = 0 then 'claimed' else 'returned' end, player,
        case when p % 4 = 0 then p / 2 + 1 end, taps, ${last}
      from winners where p % 4 <> 2;
      insert into holds (player, taps) select player, taps from winners where p % 4 = 2;

      update prize_pool set taps = ${last} - (select sum(taps) from winners where p % 2 = 0);
      select setval('attempts_id_seq', ${last}), setval(pg_get_serial_sequence('users', 'id'), max(id)) from users`
  }
}

function player(number: string): string {
  return `md5('player ' || ${number})::uuid`
}

function monthOf(now: Date, later: number): Month {
  const from = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + later))
  const to = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + later + 1))
  const table = `attempts_${from.toISOString().slice(0, 7).replace('-', '_')}`
  return { table, from: from.toISOString(), to: to.toISOString() }
}

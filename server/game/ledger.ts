import type { ClientBase, Pool } from 'pg'

/**
 * Both sides of the law of the ledger: what was added, and where it is. Read as float8, which is exact up to 2^53 and which
 * every `pg` client returns as a number.
 */
export interface Ledger {
  readonly added: number
  readonly pool: number
  readonly held: number
  readonly balances: number
}

/** Reads both sides in one statement, so in one snapshot. */
export async function readLedger(database: Pool | ClientBase): Promise<Ledger> {
  const { rows } = await database.query<Ledger>(`
    select
      (select coalesce(sum(taps_added), 0) from attempts)::float8 as added,
      get_unclaimed_taps()::float8 as pool,
      (select coalesce(sum(taps), 0) from holds where ended_at is null)::float8 as held,
      (select coalesce(sum(taps_balance), 0) from users)::float8 as balances`)
  const [ledger] = rows
  if (!ledger) throw new Error('The ledger could not be read')
  return ledger
}

/** The law of the ledger: no TAPS is created or lost. */
export function balances({ added, pool, held, balances }: Ledger): boolean {
  return added === pool + held + balances
}

/** An account whose balance differs from what it has claimed. */
export interface MismatchedAccount {
  readonly id: number
  readonly username: string
  readonly balance: number
  /** The sum of the holds it has claimed. */
  readonly claimed: number
}

/** The accounts whose balance differs from the sum of their claimed holds. */
export async function mismatchedAccounts(database: Pool | ClientBase): Promise<MismatchedAccount[]> {
  const { rows } = await database.query<MismatchedAccount>(`
    select
      users.id::float8, users.username, users.taps_balance::float8 as balance,
      coalesce(claims.taps, 0)::float8 as claimed
    from users
    left join (
      select claimed_by, sum(taps) as taps from holds where claimed_by is not null group by claimed_by
    ) as claims on claimed_by = users.id
    where users.taps_balance <> coalesce(claims.taps, 0)
    order by users.id`)
  return rows
}

/** A hold whose amount differs from the sum of its parts. */
export interface MismatchedHold {
  readonly id: number
  /** Null when prizes name a hold that is not there. */
  readonly player: string | null
  readonly taps: number
  /** The sum of its prizes and of the holds that were moved into it. */
  readonly prizes: number
}

/** The holds, open or ended, that differ from the sum of their parts. */
export async function mismatchedHolds(database: Pool | ClientBase): Promise<MismatchedHold[]> {
  const { rows } = await database.query<MismatchedHold>(`
    select
      coalesce(holds.id, hold_id)::float8 as id, player, coalesce(holds.taps, 0)::float8 as taps,
      coalesce(parts.taps, 0)::float8 as prizes
    from holds
    full join (
      select hold_id, sum(taps) as taps
      from (
        select hold_id, taps from prizes
        union all
        select moved_to, taps from holds where moved_to is not null
      ) as part
      group by hold_id
    ) as parts on parts.hold_id = holds.id
    where holds.taps is distinct from parts.taps
    order by 1`)
  return rows
}

/** The result of checking the ledger. */
export interface LedgerCheck extends Ledger {
  /** Whether the law holds, for every account and every hold too. */
  readonly ok: boolean
  /** In plain words. */
  readonly lines: readonly string[]
}

/**
 * Checks the law of the ledger, that each balance is the sum of the account's claimed holds, and that each hold is the sum
 * of its prizes and of the holds moved into it.
 */
export async function checkLedger(database: Pool | ClientBase): Promise<LedgerCheck> {
  const ledger = await readLedger(database)
  const accounts = await mismatchedAccounts(database)
  const holds = await mismatchedHolds(database)
  const { added, pool, held, balances: owned } = ledger
  const sum = pool + held + owned
  const ok = balances(ledger) && accounts.length === 0 && holds.length === 0
  return {
    ok,
    ...ledger,
    lines: [
      `Added by attempts: ${added} TAPS`,
      `In the pool: ${pool}, held as prizes: ${held}, in balances: ${owned}; together ${sum} TAPS`,
      balances(ledger) ? 'Both sides are equal.' : `The sides differ by ${sum - added} TAPS.`,
      ...accounts.map(
        ({ id, username, balance, claimed }) =>
          `Account ${id} (${username}) has a balance of ${balance}, but has claimed ${claimed} TAPS.`,
      ),
      ...holds.map(
        ({ id, player, taps, prizes }) =>
          `Hold ${id} of ${player ? `player ${player}` : 'nobody'} is of ${taps} TAPS, but its prizes come to ${prizes}.`,
      ),
    ],
  }
}

import type { ClientBase, Pool } from 'pg'

/** Both sides of the law of the ledger: what was added, and where it is. */
export interface Ledger {
  readonly added: number
  readonly pool: number
  readonly held: number
  readonly balances: number
}

/** Reads both sides in one statement, so in one snapshot. */
export async function readLedger(database: Pool | ClientBase): Promise<Ledger> {
  const { rows } = await database.query<Record<keyof Ledger, string | number>>(`
    select
      (select coalesce(sum(taps_added), 0) from attempts) as added,
      get_unclaimed_taps() as pool,
      (select coalesce(sum(taps), 0) from prizes where claimed_at is null and returned_at is null) as held,
      (select coalesce(sum(taps_balance), 0) from users) as balances`)
  const [row] = rows
  if (!row) throw new Error('The ledger could not be read')
  return {
    added: Number(row.added),
    pool: Number(row.pool),
    held: Number(row.held),
    balances: Number(row.balances),
  }
}

/** The law of the ledger: nothing makes or loses a TAPS. */
export function balances({ added, pool, held, balances }: Ledger): boolean {
  return added === pool + held + balances
}

import type { ClientBase, Pool } from 'pg'
import type { Command } from './command.ts'
import { withGame } from './with-database.ts'

export const LEDGER: Command = {
  form: 'ledger',
  help: 'Checks the ledger invariant, each balance and each hold; the exit code is 1 when a check fails.',
  run: call => withGame(call, checkLedger),
}

/** TAPS added by attempts, and where they are now: in the pool, in holds or in balances. */
export interface Ledger {
  readonly added: number
  readonly pool: number
  readonly held: number
  readonly balances: number
}

export async function readLedger(database: Pool | ClientBase): Promise<Ledger> {
  // The query returns float8, which is exact up to 2^53.
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

/** Checks the ledger invariant: all TAPS added by attempts are in the pool, in holds or in balances. */
export function isBalanced({ added, pool, held, balances }: Ledger): boolean {
  return added === pool + held + balances
}

/**
 * Finds each account whose balance differs from the total of its claimed holds, less what bans took back. Finds
 * each hold whose TAPS differ from the total of its prizes and the holds moved into it.
 *
 * @returns one sentence per mismatch
 */
export async function mismatches(database: Pool | ClientBase): Promise<string[]> {
  const { rows } = await database.query<{ line: string }>(`
    select format('Account %s (%s) has a balance of %s, but has claimed %s TAPS%s.',
      id, username, taps_balance, coalesce(claims.taps, 0),
      case when taken_back > 0 then format(', of which bans took back %s', taken_back) end) as line
    from users
    left join (
      select claimed_by, sum(taps) as taps from holds where claimed_by is not null group by claimed_by
    ) as claims on claimed_by = id
    where taps_balance <> coalesce(claims.taps, 0) - taken_back
    union all
    select format('Hold %s (%s) contains %s TAPS, but its parts total %s.',
      coalesce(id, hold_id), coalesce('player ' || player, 'no player'), coalesce(holds.taps, 0), coalesce(parts.taps, 0))
    from holds
    full join (
      select hold_id, sum(taps) as taps
      from (
        select hold_id, taps from prizes
        union all
        select moved_to, taps from holds where moved_to is not null
      ) as part
      group by hold_id
    ) as parts on hold_id = id
    where holds.taps is distinct from parts.taps
    order by line`)
  return rows.map(({ line }) => line)
}

/**
 * Checks the ledger invariant, every account and every hold.
 *
 * @returns `ok` when all add up, and the lines of a report
 */
export async function checkLedger(database: Pool | ClientBase) {
  const ledger = await readLedger(database)
  const found = await mismatches(database)
  const { added, pool, held, balances } = ledger
  const sum = pool + held + balances
  return {
    ok: isBalanced(ledger) && found.length === 0,
    lines: [
      `Added by attempts: ${added} TAPS`,
      `In the pool: ${pool}, held as prizes: ${held}, in balances: ${balances}; together ${sum} TAPS`,
      isBalanced(ledger) ? 'The ledger is balanced.' : `The ledger is out of balance by ${sum - added} TAPS.`,
      ...found,
    ],
  }
}

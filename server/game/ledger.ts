import type { ClientBase, Pool } from 'pg'

/**
 * Both sides of the law of the ledger: what was added, and where it is. Read as float8, which every client of `pg` gives
 * as a number and which is exact up to 2^53.
 */
export interface Ledger {
  readonly added: number
  readonly pool: number
  readonly held: number
  readonly balances: number
}

/** Every prize with what has become of it. */
const PRIZES = `
  prizes
  join attempts on attempts.id = prizes.attempt_id
  cross join lateral prize_state(attempts.id, attempts.player)`

/** Reads both sides in one statement, so in one snapshot. */
export async function readLedger(database: Pool | ClientBase): Promise<Ledger> {
  const { rows } = await database.query<Ledger>(`
    select
      (select coalesce(sum(taps_added), 0) from attempts)::float8 as added,
      get_unclaimed_taps()::float8 as pool,
      (select coalesce(sum(taps), 0) from holds)::float8 as held,
      (select coalesce(sum(taps_balance), 0) from users)::float8 as balances`)
  const [ledger] = rows
  if (!ledger) throw new Error('The ledger could not be read')
  return ledger
}

/** The law of the ledger: nothing makes or loses a TAPS. */
export function balances({ added, pool, held, balances }: Ledger): boolean {
  return added === pool + held + balances
}

/** An account whose balance is not what it has claimed. */
export interface StrayAccount {
  readonly id: number
  readonly username: string
  readonly balance: number
  /** The sum of the prizes it has claimed. */
  readonly claimed: number
}

/** The accounts whose balance is not the sum of their claimed prizes, in one statement. */
export async function strayAccounts(database: Pool | ClientBase): Promise<StrayAccount[]> {
  const { rows } = await database.query<StrayAccount>(`
    select
      users.id::float8, users.username, users.taps_balance::float8 as balance,
      coalesce(won.taps, 0)::float8 as claimed
    from users
    left join (
      select account, sum(taps) as taps from ${PRIZES} where state = 'claimed' group by account
    ) as won on account = users.id
    where users.taps_balance <> coalesce(won.taps, 0)
    order by users.id`)
  return rows
}

/** A player for whom another amount is held than their prizes come to. */
export interface StrayHold {
  readonly player: string
  /** In the one row of `holds`; 0 where there is none. */
  readonly held: number
  /** The sum of the prizes that are neither claimed nor returned. */
  readonly prizes: number
}

/** The players whose hold is not the sum of their held prizes, in one statement. */
export async function strayHolds(database: Pool | ClientBase): Promise<StrayHold[]> {
  const { rows } = await database.query<StrayHold>(`
    select player, coalesce(holds.taps, 0)::float8 as held, coalesce(won.taps, 0)::float8 as prizes
    from holds
    full join (
      select holder as player, sum(taps) as taps from ${PRIZES} where state = 'held' group by holder
    ) as won using (player)
    where holds.taps is distinct from won.taps
    order by player`)
  return rows
}

/** What a check of the ledger has found. */
export interface Finding {
  /** Whether all is as it must be. */
  readonly sound: boolean
  /** In plain words. */
  readonly lines: readonly string[]
  /** In figures. */
  readonly data: Ledger & {
    readonly sound: boolean
    readonly strayAccounts: readonly StrayAccount[]
    readonly strayHolds: readonly StrayHold[]
  }
}

/**
 * Checks the law of the ledger; for each account that its balance is the sum of its claimed prizes; and for each player
 * that what is held is the sum of the held ones.
 */
export async function checkLedger(database: Pool | ClientBase): Promise<Finding> {
  const ledger = await readLedger(database)
  const accounts = await strayAccounts(database)
  const holds = await strayHolds(database)
  const { added, pool, held, balances: owned } = ledger
  const sum = pool + held + owned
  const sound = balances(ledger) && accounts.length === 0 && holds.length === 0
  return {
    sound,
    data: { sound, ...ledger, strayAccounts: accounts, strayHolds: holds },
    lines: [
      `Added by attempts: ${added} TAPS`,
      `In the pool: ${pool}, held as prizes: ${held}, in balances: ${owned}; together ${sum} TAPS`,
      balances(ledger) ? 'Both sides are equal.' : `The sides differ by ${sum - added} TAPS.`,
      ...accounts.map(
        ({ id, username, balance, claimed }) =>
          `Account ${id} (${username}) has a balance of ${balance}, but has claimed ${claimed} TAPS.`,
      ),
      ...holds.map(
        ({ player, held, prizes }) =>
          `${held} TAPS are held for player ${player}, but the prizes come to ${prizes}.`,
      ),
    ],
  }
}

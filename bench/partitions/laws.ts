import type { ClientBase } from 'pg'

/** Both laws of the ledger where a pruned month is one row of `attempts_sums` and a prize names its winner. */
const LAWS = `
  with won as (
    select prize.state, prize.holder, prize.account, sum(prizes.taps) as taps
    from prizes cross join lateral prize_state(prizes.attempt_id, prizes.player) as prize
    group by prize.state, prize.holder, prize.account
  ), claimed as (
    select account, sum(taps) as taps from won where state = 'claimed' group by account
  ), held as (
    select holder as player, sum(taps) as taps from won where state = 'held' group by holder
  )
  select
    (select coalesce(sum(taps_added), 0) from attempts)::float8 as added,
    (select coalesce(sum(taps), 0) from attempts_sums)::float8 as pruned,
    (get_unclaimed_taps() + (select coalesce(sum(taps), 0) from holds)
      + (select coalesce(sum(taps_balance), 0) from users))::float8 as there,
    (
      select count(*) from users left join claimed on account = users.id
      where users.taps_balance <> coalesce(claimed.taps, 0)
    )::float8 as "strayAccounts",
    (
      select count(*) from holds full join held using (player) where holds.taps is distinct from held.taps
    )::float8 as "strayHolds"`

/** What each side comes to, in TAPS, and how many accounts and holds are not the sum of their prizes. */
export interface Laws {
  readonly added: number
  readonly pruned: number
  readonly there: number
  readonly strayAccounts: number
  readonly strayHolds: number
}

/**
 * Reads both laws in one statement.
 *
 * @throws Error when one of them does not hold
 */
export async function requireLaws(client: ClientBase): Promise<Laws> {
  const { rows } = await client.query<Laws>(LAWS)
  const [laws] = rows
  if (!laws) throw new Error('The laws could not be read')
  const { added, pruned, there, strayAccounts, strayHolds } = laws
  console.log('  laws:', laws)
  if (added + pruned === there && strayAccounts === 0 && strayHolds === 0) return laws
  throw new Error(`The laws of the ledger do not hold: ${JSON.stringify(laws)}`)
}

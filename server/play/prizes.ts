import type { PrizePool } from '../../contract/api.ts'
import type { Database } from '../database/pool.ts'
import type { NameMask } from '../people/refused-names.ts'

interface LastWinRow {
  username: string
  is_guest: boolean
  won_taps: number
  created_at: Date
}

export async function prizePool(database: Database, mask: NameMask): Promise<PrizePool> {
  const [pools, wins] = await Promise.all([
    database.query<{ taps: number }>({ name: 'prize_pool', text: 'select get_unclaimed_taps() as taps' }),
    database.query<LastWinRow>({ name: 'last_win', text: LAST_WIN }),
  ])
  const [win] = wins.rows
  return {
    taps: pools.rows[0]?.taps ?? 0,
    last_win: win ? { ...win, username: mask(win.username), created_at: win.created_at.toISOString() } : null,
  }
}

/** Reads the last win with a few index lookups, however many losing attempts follow. */
const LAST_WIN = `
  select
    coalesce(account.username, attempts.username) as username, attempts.user_id is null and last.claimed_by is null as is_guest,
    last.taps as won_taps, attempts.created_at
  from (
    select attempt_id, prize.taps, prize.claimed_by
    from (select attempt_id from prizes order by attempt_id desc limit 1) as newest
    cross join lateral (
      select taps, claimed_by from prize_ends where prize_ends.attempt_id = newest.attempt_id limit 1
    ) as prize
  ) as last
  cross join lateral (select * from attempts where attempts.id = last.attempt_id limit 1) as attempts
  left join lateral (
    select username from users where users.id = coalesce(attempts.user_id, last.claimed_by) limit 1
  ) as account on true`

/**
 * Moves at most 500 expired holds to the pool. When none has expired, shortens holds that end too late.
 *
 * @returns the number of TAPS moved
 */
export async function expireHolds(database: Database, holdMinutes: number): Promise<number> {
  const text = 'select expire_holds($1) as taps'
  const { rows } = await database.query<{ taps: number }>(text, [`${holdMinutes} minutes`])
  return rows[0]?.taps ?? 0
}

import type { Claimed, PrizePool, User } from '../../contract/api.ts'
import type { Database } from '../database/pool.ts'
import { Problem } from '../problem.ts'

/** What the next win is worth. */
export async function prizePool(database: Database): Promise<PrizePool> {
  const { rows } = await database.query<PrizePool>({
    name: 'prize_pool',
    text: 'select get_unclaimed_taps() as taps',
  })
  return rows[0] ?? { taps: 0 }
}

/**
 * Moves every prize held for the account into its balance, once; 0 TAPS when nothing was held.
 *
 * @throws Problem `login_required` when the account was deleted meanwhile
 */
export async function claim(database: Database, user: User): Promise<Claimed> {
  const { rows } = await database.query<{ taps: number }>('select claim_taps($1) as taps', [user.id])
  const { rows: users } = await database.query<User>(
    'select id, username, taps_balance from users where id = $1',
    [user.id],
  )
  const [claimant] = users
  if (!claimant) throw new Problem('login_required')
  return { taps: rows[0]?.taps ?? 0, user: claimant }
}

/** Returns what is held beyond its time, of 500 players at most; gives how many TAPS went back to the pool. */
export async function expireHolds(database: Database): Promise<number> {
  const { rows } = await database.query<{ taps: number }>('select expire_holds() as taps')
  return rows[0]?.taps ?? 0
}

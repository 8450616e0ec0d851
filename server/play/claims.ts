import type { Claimed, User } from '../../contract/api.ts'
import type { Database } from '../database/pool.ts'
import { batched, type Settled } from '../lib/batch.ts'
import { Problem } from '../problem.ts'

interface ClaimedRow {
  place: number
  taps: number
  balance: number
}

/** Claims per batch; a full batch locks the pool row for 8 ms. */
export const CLAIMS_PER_BATCH = 75

/**
 * Creates a function that moves a user's held prizes into the balance and returns the amount. Batches claims,
 * because each commit holds the pool lock until the commit is on disk.
 *
 * @throws {Problem} login_required when the user was deleted during the claim
 */
export function createClaim(database: Database): (user: User) => Promise<Claimed> {
  return batched(users => claim(database, users), { size: CLAIMS_PER_BATCH, waiting: 10_000 })
}

async function claim(database: Database, users: User[]): Promise<Settled<Claimed>[]> {
  const { rows } = await database.query<ClaimedRow>({
    name: 'claims',
    text: `
      select claiming.place, claimed.taps, claimed.balance
      from unnest($1::bigint[]) with ordinality as claiming (user_id, place)
      cross join lateral claim_taps(claiming.user_id) as claimed`,
    values: [users.map(({ id }) => id)],
  })
  const claimed = new Map(rows.map(({ place, taps, balance }) => [place - 1, { taps, balance }]))
  return users.map(({ id, username }, place) => {
    const own = claimed.get(place)
    if (!own) return new Problem('login_required')
    return { taps: own.taps, user: { id, username, taps_balance: own.balance } }
  })
}

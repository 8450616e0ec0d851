import type { Leaderboard, User } from '../../contract/api.ts'
import { LEADERBOARD_SIZE, RANK_LIMIT } from '../../contract/rules.ts'
import type { Database } from '../database/pool.ts'

/**
 * Accounts with a hidden name are not on the board. Not as a join, which took a rank three times as long, nor as an array,
 * which is not hashed: 12 ms with 1,000 hidden names, against 0.8.
 */
const SHOWN = 'username_key not in (select name_key from hidden_names)'
/** Most TAPS first; of equals the older account first. */
const ORDER = 'order by taps_balance desc, id'

/** The first accounts on the board. */
export async function leaderboard(database: Database): Promise<Leaderboard> {
  const { rows } = await database.query<{ username: string; taps_balance: number }>({
    name: 'leaderboard',
    text: `select username, taps_balance from users where ${SHOWN} ${ORDER} limit ${LEADERBOARD_SIZE}`,
  })
  return { leaderboard: rows }
}

/** The account's place on the board; null when it is not on it, or beyond RANK_LIMIT: no more are ever counted. */
export async function rankOf(database: Database, { id }: User): Promise<number | null> {
  const { rows } = await database.query<{ rank: number }>({
    name: 'rank_of',
    text: `
      select rank
      from (
        select id, row_number() over (${ORDER}) as rank from users where ${SHOWN} ${ORDER} limit ${RANK_LIMIT}
      ) as board
      where id = $1 limit 1`,
    values: [id],
  })
  return rows[0]?.rank ?? null
}

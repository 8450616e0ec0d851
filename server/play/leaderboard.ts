import type { Leaderboard, User } from '../../contract/api.ts'
import { LEADERBOARD_SIZE, RANK_LIMIT } from '../../contract/rules.ts'
import type { Database } from '../database/connection.ts'
import type { NameMask } from '../people/names.ts'

/** Most TAPS first; ties go to the account created first. */
const ORDER = 'order by taps_balance desc, id'

/** A ban takes an account off the board. */
const RANKED = `from users where banned_at is null ${ORDER}`

export async function leaderboard(database: Database, mask: NameMask): Promise<Leaderboard> {
  const { rows } = await database.query<{ username: string; taps_balance: number }>({
    name: 'leaderboard',
    text: `select username, taps_balance ${RANKED} limit ${LEADERBOARD_SIZE}`,
  })
  return { leaderboard: rows.map(row => ({ ...row, username: mask(row.username) })) }
}

/** Returns the user's rank; null beyond RANK_LIMIT. */
export async function rankOf(database: Database, { id }: User): Promise<number | null> {
  const { rows } = await database.query<{ rank: number }>({
    name: 'rank_of',
    text: `
      select rank
      from (
        select id, row_number() over (${ORDER}) as rank ${RANKED} limit ${RANK_LIMIT}
      ) as board
      where id = $1 limit 1`,
    values: [id],
  })
  return rows[0]?.rank ?? null
}

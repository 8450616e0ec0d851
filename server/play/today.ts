import type { ClientBase } from 'pg'
import type { Today } from '../../contract/api.ts'
import { HAND_SIZE, TODAY_SIZE } from '../../contract/rules.ts'
import { toSeconds } from '../../contract/time.ts'
import type { Database } from '../database/connection.ts'
import type { NameMask } from '../people/names.ts'

interface TodayRow {
  readonly day: string
  readonly hands: readonly { readonly username: string; readonly is_guest: boolean; readonly sum: number }[]
}

/**
 * Reads the day of the database's clock and its best hands, with a user's current name. The index has their order, so
 * besides these hands only better ones of banned and deleted players are read.
 */
export const TODAY = `
  select
    today.day::text as day,
    coalesce((select json_agg(row_to_json(listed)) from (
      select
        coalesce(account.username, attempts.username) as username, account.username is null as is_guest, best.sum
      from (
        select hands.player, hands.sum, hands.attempt_id from hands
        where hands.day = today.day
          and not exists (
            select from users where users.player = hands.player and users.banned_at is not null offset 0
          )
          and not exists (select from past_players where past_players.player = hands.player offset 0)
        order by hands.sum, hands.attempt_id limit ${TODAY_SIZE}
      ) as best
      cross join lateral (
        select username from attempts where attempts.id = best.attempt_id limit 1
      ) as attempts
      left join lateral (select username from users where users.player = best.player limit 1) as account on true
      order by best.sum, best.attempt_id
    ) as listed), '[]') as hands
  from (select (now() at time zone 'UTC')::date as day) as today`

export async function today(database: Database | ClientBase, mask: NameMask): Promise<Today> {
  const { rows } = await database.query<TodayRow>({ name: 'today', text: TODAY })
  const [read] = rows
  if (!read) throw new Error('The day could not be read')
  return {
    day: read.day,
    today: read.hands.map(({ username, is_guest, sum }) => {
      return { username: mask(username), is_guest, average: toSeconds(Math.round(sum / HAND_SIZE)) }
    }),
  }
}

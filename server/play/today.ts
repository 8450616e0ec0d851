import type { Today } from '../../contract/api.ts'
import { HAND_SIZE, TODAY_SIZE } from '../../contract/rules.ts'
import { toSeconds } from '../../contract/time.ts'
import type { Database } from '../database/connection.ts'
import type { NameMask } from '../people/names.ts'

/** A row of the list; without hands, the day alone. */
interface TodayRow {
  readonly day: string
  readonly username: string | null
  readonly is_guest: boolean
  readonly sum: number
}

/**
 * Reads the day of the database's clock and its best hands, with a user's current name. Leaves out players who are
 * banned or deleted. The index has the order, so only the hands of such players are read in addition.
 */
const TODAY = `
  select
    today.day::text as day, coalesce(account.username, attempts.username) as username,
    account.username is null as is_guest, best.sum
  from (select (now() at time zone 'UTC')::date as day) as today
  left join lateral (
    select hands.player, hands.sum, hands.attempt_id from hands
    where hands.day = today.day
      and not exists (
        select from users where users.player = hands.player and users.banned_at is not null offset 0
      )
      and not exists (select from past_players where past_players.player = hands.player offset 0)
    order by hands.sum, hands.attempt_id limit ${TODAY_SIZE}
  ) as best on true
  left join lateral (
    select username from attempts where attempts.id = best.attempt_id limit 1
  ) as attempts on true
  left join lateral (select username from users where users.player = best.player limit 1) as account on true
  order by best.sum, best.attempt_id`

export async function today(database: Database, mask: NameMask): Promise<Today> {
  const { rows } = await database.query<TodayRow>({ name: 'today', text: TODAY })
  const [first] = rows
  if (!first) throw new Error('The database told no day')
  const hands = rows.flatMap(({ username, is_guest, sum }) =>
    username === null ? [] : [{ username: mask(username), is_guest, average: averageOf(sum) }],
  )
  return { day: first.day, today: hands }
}

/** Returns the average of a hand in seconds, rounded to whole milliseconds. */
function averageOf(sumMs: number): number {
  return toSeconds(Math.round(sumMs / HAND_SIZE))
}

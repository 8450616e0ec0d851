import type { ClientBase } from 'pg'
import type { PlayerId } from '../../identity/player.ts'

/** A prize of an account: the attempt that won it, and what has become of it. */
export interface AccountPrize {
  readonly attempt: number
  readonly at: Date
  /** In seconds, exact in 3 decimals. */
  readonly targetTime: number
  readonly actualTime: number
  readonly taps: number
  readonly username: string
  /** Who won it: the account's own player, or a guest who signed in with it. */
  readonly player: PlayerId
  /** It was won by a guest, as the account's player too was before the sign-up. */
  readonly isGuest: boolean
  readonly state: 'held' | 'claimed' | 'returned'
  /** Null while it is held. */
  readonly endedAt: Date | null
}

/** What all prizes of an account come to, in TAPS. */
export interface Total {
  readonly prizes: number
  readonly claimed: number
  readonly held: number
  readonly returned: number
}

/** The prizes of the holds of a player ($1), and of the holds that were moved into these. */
const PRIZES = `
  from holds as own
  cross join lateral (select own.id union all select id from holds where moved_to = own.id) as hold
  join prize_ends as prize on prize.hold_id = hold.id
  join attempts on attempts.id = prize.attempt_id
  where own.player = $1 and own.moved_to is null`

/** The prizes of an account's player up to an attempt, the newest first; no more than `limit` of them. */
export async function readPrizes(
  client: ClientBase,
  player: PlayerId,
  upTo: number,
  limit: number,
): Promise<{ prizes: AccountPrize[]; older: number }> {
  const { rows } = await client.query<AccountPrize & { count: number }>(
    `select
      attempts.id as attempt, attempts.created_at as at, target_time as "targetTime", actual_time as "actualTime",
      prize.taps, username, attempts.player, user_id is null as "isGuest", coalesce(prize.ended_as, 'held') as state,
      prize.ended_at as "endedAt", count(*) over () as count
    ${PRIZES} and attempts.id <= $2 order by attempts.id desc limit $3`,
    [player, upTo, limit],
  )
  return { prizes: rows.map(({ count: _, ...prize }) => prize), older: (rows[0]?.count ?? 0) - rows.length }
}

/** What all of them come to. */
export async function readTotal(client: ClientBase, player: PlayerId): Promise<Total> {
  const { rows } = await client.query<{ state: keyof Total; prizes: number; taps: number }>(
    `select coalesce(prize.ended_as, 'held') as state, count(*) as prizes, sum(prize.taps) as taps ${PRIZES} group by 1`,
    [player],
  )
  const prizes = rows.reduce((sum, row) => sum + row.prizes, 0)
  const taps = Object.fromEntries(rows.map(({ state, taps }) => [state, taps]))
  return { claimed: 0, held: 0, returned: 0, ...taps, prizes }
}

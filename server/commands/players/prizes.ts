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

/** What all prizes of an account come to, in TAPS, and what stands beside it. */
export interface Total {
  readonly prizes: number
  readonly claimed: number
  readonly held: number
  readonly returned: number
  /** What the open hold says is held. */
  readonly hold: number
  /** How many attempts the account's player has made. */
  readonly attempts: number
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
  const { rows } = await client.query<Total>(
    `select
      count(*) as prizes,
      coalesce(sum(prize.taps) filter (where prize.ended_as = 'claimed'), 0) as claimed,
      coalesce(sum(prize.taps) filter (where prize.ended_as is null), 0) as held,
      coalesce(sum(prize.taps) filter (where prize.ended_as = 'returned'), 0) as returned,
      coalesce((select taps from holds where player = $1 and ended_at is null), 0) as hold,
      (select count(*) from attempts where player = $1) as attempts
    ${PRIZES}`,
    [player],
  )
  const [total] = rows
  if (!total) throw new Error('The prizes of the account could not be added up')
  return total
}

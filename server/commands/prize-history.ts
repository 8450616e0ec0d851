import type { ClientBase } from 'pg'
import type { UserRecord } from '../people/directory.ts'

/** Describes where a user's TAPS come from: newest prizes and totals. */
export async function readPrizeHistory(
  client: ClientBase,
  { playerId: player, balance }: UserRecord,
): Promise<string[]> {
  const { rows } = await client.query<{ line: string; claimed: string; held: string; hold: string }>(
    `with own as (select id from holds where player = $1 and moved_to is null),
    won as (
      select attempts.*, prize.taps, coalesce(prize.ended_as, 'held') as state
      from prize_ends as prize join attempts on attempts.id = prize.attempt_id
      join holds on holds.id = prize.hold_id
      where coalesce(holds.moved_to, holds.id) in (select id from own)
    )
    select
      format('attempt %s, %s: %s s for %s s by %s won %s TAPS, %s', id,
        to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
        actual_time, target_time, to_json(username), taps, state) as line,
      coalesce(sum(taps) filter (where state = 'claimed') over (), 0)::text as claimed,
      coalesce(sum(taps) filter (where state = 'held') over (), 0)::text as held,
      coalesce((select taps from holds where player = $1 and ended_at is null), 0)::text as hold
    from won order by id desc limit 50`,
    [player],
  )
  const { claimed = '0', held = '0', hold = '0' } = rows[0] ?? {}
  return [
    ...rows.map(({ line }) => line),
    `Claimed prizes: ${claimed} TAPS; balance: ${balance}. Held prizes: ${held} TAPS; open hold: ${hold}.`,
  ]
}

import type { ClientBase } from 'pg'
import type { Database } from '../database/pool.ts'
import { operate } from '../identity/operator-acts.ts'
import type { PlayerId } from '../identity/player.ts'
import { STEADINESS_WINDOW } from './steadiness.ts'

/** A player and the differences of their latest attempts, oldest first, in signed whole ms. */
export interface Series {
  readonly player: PlayerId
  readonly differencesMs: readonly number[]
}

/** A player to be flagged, and the standard deviation of their attempts, in ms. */
export interface Finding {
  readonly player: PlayerId
  readonly deviationMs: number
}

/** A standing flag, for an operator to judge. */
export interface FlaggedPlayer {
  readonly player: PlayerId
  /** Every name the player has used, the newest first. */
  readonly names: readonly string[]
  readonly attempts: number
  /** As it was when the flag was raised. */
  readonly deviationMs: number
  readonly flaggedAt: Date
}

/**
 * Reads the latest attempts by which to judge these players, without those before a clearing; flagged players are left
 * out.
 */
export async function latestSeries(database: Database, players: readonly PlayerId[]): Promise<Series[]> {
  const { rows } = await database.query<Series>({
    name: 'latest_series',
    // The window is cut before the clearing is looked at, and by the number of the round: for players with few
    // attempts, which most are, the planner would read all there are and sort them, and a player may have thousands.
    text: `
      select asked.player, latest.differences as "differencesMs"
      from unnest($1::uuid[]) as asked (player)
      cross join lateral (
        select array_agg((difference * 1000)::integer order by id) as differences
        from (
          select id, difference, created_at from attempts
          where attempts.player = asked.player
            and round > (select max(round) from attempts where attempts.player = asked.player) - ${STEADINESS_WINDOW}
          limit ${STEADINESS_WINDOW}
        ) as played
        where created_at > coalesce(
          (select max(cleared_at) from flags where flags.player = asked.player), '-infinity'
        )
      ) as latest
      where latest.differences is not null
        and not exists (select from flags where flags.player = asked.player and cleared_at is null offset 0)`,
    values: [players],
  })
  return rows
}

/** Flags players, unless they are flagged already; from the next attempt on they win nothing. */
export async function raiseFlags(database: Database, findings: readonly Finding[]): Promise<void> {
  await database.query({
    name: 'raise_flags',
    text: `
      insert into flags (player, deviation_ms)
      select * from unnest($1::uuid[], $2::numeric[])
      on conflict do nothing`,
    values: [findings.map(({ player }) => player), findings.map(({ deviationMs }) => deviationMs)],
  })
}

/** The players whose flag stands, the newest first. */
export async function flaggedPlayers(database: Database | ClientBase): Promise<FlaggedPlayer[]> {
  const { rows } = await database.query<FlaggedPlayer>(`
    select
      flags.player, played.names, played.attempts,
      flags.deviation_ms as "deviationMs", flags.flagged_at as "flaggedAt"
    from flags
    cross join lateral (
      select coalesce(array_agg(username order by newest desc), '{}') as names, coalesce(sum(count), 0) as attempts
      from (
        select username, max(round) as newest, count(*) from attempts
        where attempts.player = flags.player
        group by username
      ) as name
    ) as played
    where flags.cleared_at is null
    order by flags.flagged_at desc, flags.player`)
  return rows
}

/**
 * Clears a player's flag: they can win again, and only attempts from now on count for a new one.
 *
 * @param account of the player, if there is one
 * @returns false when no flag stands
 */
export async function clearFlag(
  database: Database | ClientBase,
  player: PlayerId,
  account?: { readonly id: number; readonly username: string },
): Promise<boolean> {
  const cleared = await operate(
    database,
    { act: 'clear-flag', userId: account?.id, name: account?.username, detail: `player ${player}` },
    'update flags set cleared_at = now() where player = $1 and cleared_at is null returning true as cleared',
    [player],
  )
  return cleared !== undefined
}

import type { ClientBase } from 'pg'
import type { Database } from '../database/pool.ts'
import { performOperatorAct } from '../identity/operator-acts.ts'
import type { PlayerId } from '../identity/player.ts'
import { Throttle } from '../lib/throttle.ts'
import type { Logger } from '../log.ts'
import { isTooSteady, STEADINESS_WINDOW } from './steadiness.ts'

const INTERVAL_MS = 1_000
/** Players per look: 50 windows of 40 attempts cost 2 ms of this process and at most 8 ms of the database. */
const LOOK_SIZE = 50
/** Twenty seconds of work. A winner beyond it is looked at after another win. */
const MAX_WAITING = 1_000

/** A recorded win: by whom, with which of their attempts. */
export interface Win {
  readonly player: PlayerId
  readonly round: number
}

/**
 * Looks at players who have just won, a second later and off the path of any request, and flags those too steady to be
 * people: from then on they win nothing. A look that fails is not repeated: the player's next win asks for another.
 */
export class BotDetector {
  readonly #waiting = new Set<PlayerId>()
  readonly #looks: Throttle

  constructor(database: Database, log: Logger) {
    this.#looks = new Throttle(INTERVAL_MS, async () => {
      const players = [...this.#waiting].slice(0, LOOK_SIZE)
      for (const player of players) this.#waiting.delete(player)
      if (this.#waiting.size > 0) this.#looks.ask()
      try {
        const flagged = await flagTooSteady(database, players)
        if (flagged.length > 0) log.info({ players: flagged }, 'players too steady to be people were flagged')
      } catch (error) {
        log.warn({ err: error }, 'winners could not be looked at; their next win asks again')
      }
    })
  }

  /** Asks for a look at the winners; costs the caller nothing. */
  watch(wins: readonly Win[]): void {
    const longEnough = wins.filter(({ round }) => round >= STEADINESS_WINDOW)
    for (const { player } of longEnough) if (this.#waiting.size < MAX_WAITING) this.#waiting.add(player)
    if (longEnough.length > 0) this.#looks.ask()
  }

  /** Resolves when a look under way has ended. */
  close(): Promise<void> {
    return this.#looks.close()
  }
}

/** Flags those of these players who are too steady to be people, unless they are flagged already; who they are. */
async function flagTooSteady(database: Database, players: readonly PlayerId[]): Promise<PlayerId[]> {
  const { rows } = await database.query<{ player: PlayerId; differencesMs: number[] }>({
    name: 'latest_differences',
    // The window is cut before the clearing is looked at, and by the number of the round: for players with few
    // attempts, which most are, the planner would read all there are and sort them, and a player may have thousands.
    text: `
      select asked.player, latest.differences as "differencesMs"
      from unnest($1::uuid[]) as asked (player)
      left join lateral (select cleared_at from flags where flags.player = asked.player limit 1) as flag on true
      cross join lateral (
        select coalesce(array_agg((difference * 1000)::integer order by id), '{}') as differences
        from (
          select id, difference, created_at from attempts
          where attempts.player = asked.player
            and round > (select max(round) from attempts where attempts.player = asked.player) - ${STEADINESS_WINDOW}
          limit ${STEADINESS_WINDOW}
        ) as played
        where flag.cleared_at is null or created_at > flag.cleared_at
      ) as latest`,
    values: [players],
  })
  const steady = rows.filter(({ differencesMs }) => isTooSteady(differencesMs)).map(({ player }) => player)
  if (steady.length === 0) return []
  const { rows: flagged } = await database.query<{ player: PlayerId }>({
    name: 'flag_players',
    text: `
      insert into flags (player) select distinct * from unnest($1::uuid[])
      on conflict (player) do update set flagged_at = now(), cleared_at = null where flags.cleared_at is not null
      returning player`,
    values: [steady],
  })
  return flagged.map(({ player }) => player)
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
  const cleared = await performOperatorAct(
    database,
    { act: 'clear-flag', userId: account?.id, name: account?.username, detail: `player ${player}` },
    'update flags set cleared_at = now() where player = $1 and cleared_at is null returning true as cleared',
    [player],
  )
  return cleared !== undefined
}

import type { PlayerId } from '../callers/player.ts'
import type { Database } from '../database/pool.ts'
import { Throttle } from '../lib/throttle.ts'
import type { Logger } from '../log.ts'
import type { Submission } from './recorder.ts'

/** The number of a player's latest attempts that are judged. */
export const WINDOW = 40
/**
 * The smallest standard deviation, in seconds, that counts as human; real players vary by at least 0.015
 * (docs/decisions/0004-steadiness.md).
 */
const LIMIT_S = 0.007

const INTERVAL_MS = 1_000
/** Players per check; a full check takes 10 ms. Further winners are checked after their next win. */
const MAX_PLAYERS = 50

/**
 * Checks recent winners in the background, and flags those who are too steady for a person. A flagged player
 * can no longer win.
 */
export class BotDetector {
  readonly #waiting = new Set<PlayerId>()
  readonly #checks: Throttle

  constructor(database: Database, log: Logger) {
    this.#checks = new Throttle(INTERVAL_MS, async () => {
      const players = [...this.#waiting]
      this.#waiting.clear()
      try {
        const flagged = await flagTooSteady(database, players)
        if (flagged.length > 0) log.info({ players: flagged }, 'flagged players as too steady for a person')
      } catch (error) {
        log.warn({ err: error }, 'bot check failed; retrying at the next win of each player')
      }
    })
  }

  watch(wins: readonly Pick<Submission, 'playerId' | 'round'>[]): void {
    for (const { playerId, round } of wins) {
      if (round >= WINDOW && this.#waiting.size < MAX_PLAYERS) this.#waiting.add(playerId)
    }
    if (this.#waiting.size > 0) this.#checks.ask()
  }

  close(): Promise<void> {
    return this.#checks.close()
  }
}

/** @returns the newly flagged players */
export async function flagTooSteady(database: Database, players: readonly PlayerId[]): Promise<PlayerId[]> {
  const { rows } = await database.query<{ player: PlayerId }>({
    name: 'flag_too_steady',
    // Limits the rounds first, because the planner would otherwise sort all attempts of a player.
    text: `
      insert into flags (player)
      select asked.player
      from unnest($1::uuid[]) as asked (player)
      left join lateral (select cleared_at from flags where flags.player = asked.player limit 1) as flag on true
      cross join lateral (
        select count(*) as attempts, stddev_samp(difference) as spread
        from (
          select difference, created_at from attempts
          where attempts.player = asked.player
            and round > (
              select round from attempts where attempts.player = asked.player order by round desc limit 1
            ) - ${WINDOW}
          limit ${WINDOW}
        ) as played
        where flag.cleared_at is null or created_at > flag.cleared_at
      ) as latest
      where latest.attempts = ${WINDOW} and latest.spread < ${LIMIT_S}
      on conflict (player) do update set flagged_at = now(), cleared_at = null where flags.cleared_at is not null
      returning player`,
    values: [players],
  })
  return rows.map(({ player }) => player)
}

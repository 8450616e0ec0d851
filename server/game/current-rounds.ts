import type { Database } from '../database/pool.ts'
import { batched } from '../lib/batch.ts'
import type { CurrentRound } from './rounds.ts'

/**
 * Creates a check that a round follows the guest's last attempt, and that the guest never had an account. The
 * query usually returns no row, so the query is faster than reading the player's state.
 */
export function createCurrentRoundCheck(database: Database): (round: CurrentRound) => Promise<boolean> {
  return batched(rounds => areCurrent(database, rounds), { size: 500, waiting: 20_000 })
}

async function areCurrent(database: Database, rounds: CurrentRound[]): Promise<boolean[]> {
  const { rows } = await database.query<{ place: number }>({
    name: 'not_current',
    text: `
      select place
      from unnest($1::uuid[], $2::integer[]) with ordinality as asked (player, round, place)
      where round <> 1 + coalesce(
          (select attempts.round from attempts where attempts.player = asked.player order by attempts.round desc limit 1),
          0
        )
        or exists (select from account_players where account_players.player = asked.player offset 0)`,
    values: [rounds.map(({ playerId }) => playerId), rounds.map(({ number }) => number)],
  })
  const others = new Set(rows.map(({ place }) => place - 1))
  return rounds.map((_, place) => !others.has(place))
}

import type { Database } from '../database/pool.ts'
import { batched } from '../lib/batch.ts'
import type { CurrentRound } from './rounds.ts'

/**
 * Creates a function that returns the database's time, or null unless the round follows the guest's last
 * attempt and the guest never had an account. Each call joins a read that starts later, so the time is never
 * before the call.
 */
export function createStartTimeRead(database: Database): (round: CurrentRound) => Promise<Date | null> {
  return batched(rounds => readTimes(database, rounds), { size: 500, waiting: 20_000 })
}

async function readTimes(database: Database, rounds: CurrentRound[]): Promise<(Date | null)[]> {
  const { rows } = await database.query<{ now: Date; others: number[] }>({
    name: 'start_time',
    text: `
      select now(), array(
        select place::integer
        from unnest($1::uuid[], $2::integer[]) with ordinality as asked (player, round, place)
        where round <> 1 + coalesce(
            (select attempts.round from attempts where attempts.player = asked.player order by attempts.round desc limit 1),
            0
          )
          or exists (select from account_players where account_players.player = asked.player offset 0)
      ) as others`,
    values: [rounds.map(({ playerId }) => playerId), rounds.map(({ number }) => number)],
  })
  const [{ now = null, others = [] } = {}] = rows
  const notCurrent = new Set(others.map(place => place - 1))
  return rounds.map((_, place) => (notCurrent.has(place) ? null : now))
}

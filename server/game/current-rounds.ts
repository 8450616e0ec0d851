import type { Database } from '../database/pool.ts'
import { batched } from '../lib/batch.ts'
import type { RoundInHand } from './rounds.ts'

/**
 * Knows whether it is a guest's turn to play a round, for many Starts in one read. Nearly always it is, and then the
 * read answers with nothing: it costs a third of finding out who the guest is and where they stand.
 */
export class CurrentRounds {
  readonly #database: Database
  /** True when the round is the one after the player's last, and the player no account's. */
  readonly isCurrent: (round: RoundInHand) => Promise<boolean>

  constructor(database: Database) {
    this.#database = database
    this.isCurrent = batched(rounds => this.#read(rounds), { size: 500, waiting: 20_000 })
  }

  async #read(rounds: RoundInHand[]): Promise<boolean[]> {
    const { rows } = await this.#database.query<{ place: number }>({
      name: 'turns',
      text: `
        select place
        from unnest($1::uuid[], $2::integer[]) with ordinality as asked (player, round, place)
        where round <> 1 + coalesce(
            (select max(attempts.round) from attempts where attempts.player = asked.player), 0
          )
          or exists (select from users where users.player = asked.player)`,
      values: [rounds.map(({ player }) => player), rounds.map(({ number }) => number)],
    })
    const others = new Set(rows.map(({ place }) => place - 1))
    return rounds.map((_, place) => !others.has(place))
  }
}

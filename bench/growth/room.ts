import type { Connection } from '../../server/database/pool.ts'
import { withClient } from '../../tests/support/connect.ts'

/** What a game takes on the disk, and how its rows are updated. */
export interface Concurrency {
  /** Of the table of attempts with its indexes. */
  readonly bytesPerAttempt: number
  /** Of everything else that a player with an account leaves: the account, a session, prizes. */
  readonly bytesPerAccount: number
  /** Share of the updates of the pool's row that stayed on its page, without a word to any index. */
  readonly poolHot: number
  /** Pages of the pool's table, in which there is one row. */
  readonly poolPages: number
}

/** Looks at a game after it was played. */
export function readRoom(connection: Connection): Promise<Concurrency> {
  return withClient(connection, async client => {
    await client.query('select pg_stat_force_next_flush()')
    const { rows } = await client.query<Concurrency>(`
      select
        pg_total_relation_size('attempts') / greatest(1, (select count(*) from attempts)) as "bytesPerAttempt",
        (pg_total_relation_size('users') + pg_total_relation_size('sessions') + pg_total_relation_size('prizes')
          + pg_total_relation_size('transfers') + pg_total_relation_size('holds')) / greatest(1, (select count(*) from users)) as "bytesPerAccount",
        (select n_tup_hot_upd::float8 / greatest(1, n_tup_upd) from pg_stat_user_tables
          where relname = 'prize_pool') as "poolHot",
        pg_relation_size('prize_pool') / current_setting('block_size')::integer as "poolPages"`)
    const [room] = rows
    if (!room) throw new Error('The tables could not be measured')
    return room
  })
}

import pg from 'pg'
import type { Connection } from '../../server/database/connection.ts'
import { until } from '../support/until.ts'

/** Holds the pool lock, which every database function takes first. Calls wait until the gate opens. */
export class Gate {
  readonly #client: pg.Client

  private constructor(client: pg.Client) {
    this.#client = client
  }

  static async close(connection: Connection): Promise<Gate> {
    const client = new pg.Client(connection)
    await client.connect()
    await client.query('begin')
    await client.query('select from prize_pool for update')
    return new Gate(client)
  }

  /**
   * Waits until `count` connections that have sent `statement` wait for the lock and have written nothing.
   *
   * @throws Error after opening the gate, when too few connections wait
   */
  async holds(statement: string, count = 1): Promise<void> {
    const waits = async () => (await this.#waiting(statement)) >= count
    await until(`${statement} to wait for the pool lock first`, waits).catch(async error => {
      await this.open()
      throw error
    })
  }

  async open(): Promise<void> {
    await this.#client.query('commit')
    await this.#client.end()
  }

  async #waiting(statement: string): Promise<number> {
    // PostgreSQL caches pg_stat_activity within a transaction.
    await this.#client.query('select pg_stat_clear_snapshot()')
    const { rowCount } = await this.#client.query(
      `select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and backend_xid is null
      and position($1 in query) > 0`,
      [statement],
    )
    return rowCount ?? 0
  }
}

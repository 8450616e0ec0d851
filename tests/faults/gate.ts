import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Connection } from '../../server/database/pool.ts'

const POLL_MS = 2
/** Below the time after which a server gives a waiting statement up. */
const LONGEST_MS = 2_500

/** Holds the lock that every act on TAPS takes first: who comes meanwhile waits, and all go on together. */
export class Gate {
  readonly #client: pg.Client
  readonly #closedAt = performance.now()

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

  /** Until so many connections wait with a statement that contains this, or they would wait for too long. */
  async holds(statement: string, count = 1): Promise<void> {
    while (performance.now() - this.#closedAt < LONGEST_MS) {
      const { rowCount } = await this.#client.query(
        `select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and position($1 in query) > 0`,
        [statement],
      )
      if ((rowCount ?? 0) >= count) return
      // What a transaction reads there is frozen at its first look.
      await this.#client.query('select pg_stat_clear_snapshot()')
      await sleep(POLL_MS)
    }
  }

  async open(): Promise<void> {
    await this.#client.query('commit')
    await this.#client.end()
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Connection } from '../../server/database/pool.ts'

const POLL_MS = 2
/** Shorter than a server waits for a statement. */
const LONGEST_MS = 2_500

/** Holds the lock that every act on TAPS takes first. Acts that arrive meanwhile wait, and go on when it opens. */
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

  /** Waits until so many connections wait for a lock in a statement with this text, but not until they time out. */
  async holds(statement: string, count = 1): Promise<void> {
    while (performance.now() - this.#closedAt < LONGEST_MS) {
      const { rowCount } = await this.#client.query(
        `select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and position($1 in query) > 0`,
        [statement],
      )
      if ((rowCount ?? 0) >= count) return
      // A transaction sees the activity as of its first look, unless that is cleared.
      await this.#client.query('select pg_stat_clear_snapshot()')
      await sleep(POLL_MS)
    }
  }

  async open(): Promise<void> {
    await this.#client.query('commit')
    await this.#client.end()
  }
}

import type { Connection } from '../server/database/pool.ts'
import { withClient } from '../tests/support/connect.ts'

/** How much a PostgreSQL has written to its log so far, for all its databases, in bytes. */
export function writtenBytes(connection: Connection): Promise<number> {
  return withClient(connection, async client => {
    const { rows } = await client.query<{ bytes: number }>(
      `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as bytes`,
    )
    return rows[0]?.bytes ?? Number.NaN
  })
}

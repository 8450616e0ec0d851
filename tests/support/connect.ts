import type pg from 'pg'
import { NO_TIMEOUT, withClient as withDatabaseClient } from '../../server/database/client.ts'
import type { Connection } from '../../server/database/pool.ts'

/** A busy machine may take long to start a process for a connection; the game itself has no time to wait for it. */
const CONNECT_TIMEOUT_MS = 30_000

/** Runs something over a connection of its own, as long as it takes. */
export function withClient<Result>(
  connection: Connection,
  act: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  return withDatabaseClient(connection, act, { ...NO_TIMEOUT, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
}

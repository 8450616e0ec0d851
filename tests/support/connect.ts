import type pg from 'pg'
import { NO_TIMEOUT, withClient as withDatabaseClient } from '../../server/database/client.ts'
import type { Connection } from '../../server/database/pool.ts'

/** Longer than the game waits: a busy machine may take long to accept a connection. */
const CONNECT_TIMEOUT_MS = 30_000

/** Runs something over a connection of its own, without a time limit. */
export function withClient<Result>(
  connection: Connection,
  act: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  return withDatabaseClient(connection, act, { ...NO_TIMEOUT, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
}

/** The same server and role, another database. */
export function inDatabase(connection: Connection, database: string): Connection {
  const { connectionString } = connection
  if (!connectionString) return { ...connection, database }
  // Not with URL, which needs a host.
  return {
    ...connection,
    connectionString: connectionString.replace(/^(\w+:\/\/[^/?#]*)(\/[^?#]*)?/, `$1/${database}`),
  }
}

import type pg from 'pg'
import {
  type Connection,
  NO_TIMEOUT,
  withClient as withDatabaseClient,
} from '../../server/database/connection.ts'

/** The connection timeout, longer than the server's timeout because a busy machine may accept late. */
const CONNECT_TIMEOUT_MS = 30_000

/** Runs `act` on a new connection, without a query timeout. */
export function withClient<Result>(
  connection: Connection,
  act: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  return withDatabaseClient(connection, act, { ...NO_TIMEOUT, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
}

/** Returns the same connection with another database. */
export function inDatabase(connection: Connection, database: string): Connection {
  return { ...connection, database }
}

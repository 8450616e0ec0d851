import type pg from 'pg'
import { UNHURRIED, withClient as withDatabaseClient } from '../database/client.ts'
import type { Connection } from '../database/pool.ts'

/** The same server and login, another database. */
export function inDatabase(connection: Connection, database: string): Connection {
  const { connectionString } = connection
  if (!connectionString) return { ...connection, database }
  const url = new URL(connectionString)
  url.pathname = `/${database}`
  return { ...connection, connectionString: url.href }
}

/** Runs something over a connection of its own, as long as it takes. */
export function withClient<Result>(
  connection: Connection,
  act: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  return withDatabaseClient(connection, act, UNHURRIED)
}

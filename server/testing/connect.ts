import type pg from 'pg'
import { UNHURRIED, withClient as withDatabaseClient } from '../database/client.ts'
import type { Connection } from '../database/pool.ts'

/** Runs something over a connection of its own, as long as it takes. */
export function withClient<Result>(
  connection: Connection,
  act: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  return withDatabaseClient(connection, act, UNHURRIED)
}

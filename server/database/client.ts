import pg from 'pg'
import { type Connection, clientConfig } from './pool.ts'

/** Time limits of statements that may take as long as they do, such as those that change tables. */
export const NO_TIMEOUT = { query_timeout: 0 } as const

/**
 * Runs something over a connection of its own, which ends with it.
 *
 * @param limits other time limits than those of any use of the database
 * @throws the database's error; whatever `act` throws
 */
export async function withClient<Result>(
  connection: Connection,
  act: (client: pg.Client) => Promise<Result>,
  limits: Pick<pg.ClientConfig, 'query_timeout' | 'connectionTimeoutMillis'> = {},
): Promise<Result> {
  const client = new pg.Client({ ...clientConfig(connection), ...limits })
  // A connection lost between two statements fails the next one, which says so.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await act(client)
  } finally {
    await client.end()
  }
}

import pg from 'pg'
import { type Connection, clientConfig } from './pool.ts'

/** For statements that may take any time, such as those that change tables. */
export const NO_TIMEOUT = { query_timeout: 0 } as const

/**
 * Runs an act over a connection of its own, which is closed afterwards.
 *
 * @param limits time limits that replace the usual ones
 * @throws the database's error; whatever `act` throws
 */
export async function withClient<Result>(
  connection: Connection,
  act: (client: pg.Client) => Promise<Result>,
  limits: Pick<pg.ClientConfig, 'query_timeout' | 'connectionTimeoutMillis'> = {},
): Promise<Result> {
  const client = new pg.Client({ ...clientConfig(connection), ...limits })
  // A connection lost between two statements fails the next one.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await act(client)
  } finally {
    await client.end()
  }
}

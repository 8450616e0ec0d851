import pg from 'pg'
import { type Connection, clientConfig } from './pool.ts'

export const NO_TIMEOUT = { query_timeout: 0 } as const

/**
 * Runs `act` over a new connection, and closes the connection afterwards.
 *
 * @param limits - Time limits that replace the defaults.
 */
export async function withClient<Result>(
  connection: Connection,
  act: (client: pg.Client) => Promise<Result>,
  limits: Pick<pg.ClientConfig, 'query_timeout' | 'connectionTimeoutMillis'> = {},
): Promise<Result> {
  const client = new pg.Client({ ...clientConfig(connection), ...limits })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await act(client)
  } finally {
    await client.end()
  }
}

import pg from 'pg'
import { type Connection, clientConfig } from '../database/pool.ts'

/** The same server and login, another database. */
export function inDatabase(connection: Connection, database: string): Connection {
  const { connectionString } = connection
  if (!connectionString) return { ...connection, database }
  const url = new URL(connectionString)
  url.pathname = `/${database}`
  return { ...connection, connectionString: url.href }
}

/** Runs something over a connection of its own, as long as it takes. */
export async function withClient<Result>(
  connection: Connection,
  act: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ ...clientConfig(connection), statement_timeout: 0, query_timeout: 0 })
  // A connection that is lost while nothing is asked of it fails what is asked next.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await act(client)
  } finally {
    await client.end()
  }
}

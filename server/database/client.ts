import pg from 'pg'
import { connectionError } from './connection-errors.ts'
import { type Connection, clientConfig } from './pool.ts'

export const NO_TIMEOUT = { query_timeout: 0 } as const

interface Options extends Pick<pg.ClientConfig, 'query_timeout' | 'connectionTimeoutMillis'> {
  /** Closes the connection, so that `act` fails. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Runs `act` over a new connection, and closes the connection afterwards.
 *
 * @throws {StartError} when the database cannot be reached
 * @throws the error of `act`, or the reason of the signal
 */
export async function withClient<Result>(
  connection: Connection,
  act: (client: pg.Client) => Promise<Result>,
  { signal, ...limits }: Options = {},
): Promise<Result> {
  const client = new pg.Client({ ...clientConfig(connection), ...limits })
  client.on('error', () => undefined)
  try {
    await client.connect().catch(error => {
      throw connectionError(error, connection.connectionString ? 'DATABASE_URL' : 'DATA_DIR')
    })
    signal?.throwIfAborted()
    signal?.addEventListener('abort', () => void client.end(), { once: true })
    return await act(client)
  } catch (error) {
    throw signal?.aborted ? signal.reason : error
  } finally {
    await client.end()
  }
}

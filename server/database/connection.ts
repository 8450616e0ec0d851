import pg from 'pg'
import { StartError } from '../lib/errors.ts'
import { userName } from '../lib/process.ts'
import type { Logger } from '../log.ts'
import { DATABASE_ADDRESS, type Env } from '../settings.mjs'
import { connectionError } from './connection-errors.ts'
import { OutageError } from './outage.ts'

/**
 * Returns the connection to the database of an address.
 *
 * @throws {StartError} when the driver objects to the address, such as to a missing certificate
 */
export function connectionOf(databaseUrl: string): Connection {
  try {
    new pg.Client({ connectionString: databaseUrl })
    return { connectionString: databaseUrl }
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw certificateError(error)
    const flaw = error instanceof Error ? error.message : String(error)
    throw new StartError(`DATABASE_URL is not usable: expected ${DATABASE_ADDRESS} (${flaw})`)
  }
}

/** The driver reads the files of `sslrootcert`, `sslcert` and `sslkey`. */
function certificateError(cause: Error): StartError {
  return new StartError(
    `A certificate in DATABASE_URL cannot be read (${cause.message}): ` +
      `correct its path, or let the user ${userName()} read the file`,
    { cause },
  )
}

/** Describes where a game is stored, without the password. */
export function describeAddress({ databaseUrl, dataDir }: Pick<Env, 'databaseUrl' | 'dataDir'>): string {
  if (!databaseUrl) return dataDir
  const { user, host, port, database } = new pg.Client({ connectionString: databaseUrl })
  return `postgres://${user}@${host}:${port}/${database}`
}

const POOL_SIZE = 10
const CONNECT_TIMEOUT_MS = 2_000
/** The time limit of a query: above `statement_timeout`, in case the database hangs. */
const QUERY_TIMEOUT_MS = 4_000

/**
 * Settings of the pool's connections (reasons: docs/decisions/0017-plans.md). Set after connecting, because
 * PgBouncer refuses `options` and `statement_timeout` at the start of a connection.
 */
export const SETTINGS = Object.entries({
  // Otherwise a statement that hangs would occupy its connection permanently.
  statement_timeout: '3s',
  // Otherwise PostgreSQL would plan most statements at each call.
  plan_cache_mode: 'force_generic_plan',
  // Plans made for small tables must still suit large tables.
  enable_seqscan: 'off',
  // Otherwise PostgreSQL would compile the plans that enable_seqscan makes look costly: 0.5 to 4 s at each call.
  jit: 'off',
  datestyle: 'ISO',
  array_nulls: 'on',
  // Lets concurrent statements wait; stricter isolation would make them fail.
  default_transaction_isolation: 'read committed',
})
  .map(([name, value]) => `set ${name} = '${value}'`)
  .join('; ')

export type Connection = pg.ClientConfig

export type Database = pg.Pool

const { builtins } = pg.types

/** Reads bigint and numeric as numbers: counts and IDs stay far below 2^53, and times have three decimals. */
const types: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === builtins.INT8 || oid === builtins.NUMERIC) return Number
    return pg.types.getTypeParser(oid, format)
  },
}

export function clientConfig(connection: Connection): pg.ClientConfig {
  return {
    ...connection,
    types,
    application_name: 'taps',
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
  }
}

/** A client of a pool. Closes its socket when connecting fails, which the pool itself leaves to the server. */
class PoolClient extends pg.Client {
  override connect(): Promise<pg.Client>
  override connect(done: (error: Error | null) => void): void
  override connect(done?: (error: Error | null) => void): Promise<pg.Client> | undefined {
    if (!done) return super.connect()
    return void super.connect((error: Error | null) => {
      if (error) this.connection.stream.destroy()
      done(error && new OutageError(error))
    })
  }
}

/** Opens a pool whose failures to connect are errors of an outage. */
export function openPool(connection: Connection, config: pg.PoolConfig): pg.Pool {
  return new pg.Pool({ ...clientConfig(connection), Client: PoolClient, ...config })
}

export function openDatabase(connection: Connection, log: Logger): Database {
  const pool = openPool(connection, {
    max: POOL_SIZE,
    idleTimeoutMillis: 60_000,
    onConnect: client =>
      client.query(SETTINGS).catch(error => {
        throw new OutageError(error)
      }),
  })
  pool.on('error', error => {
    // Ignores errors while closing, because `end` does not wait for the connections to close.
    if (!pool.ending) log.warn({ err: error }, 'an idle database connection was lost')
  })
  return pool
}

/** Returns whether the database refused the data of a row; the other rows of the statement may be fine. */
export function isBadRow(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && /^2[23]/.test(error.code ?? '')
}

export const NO_TIMEOUT = { query_timeout: 0 } as const

interface Options extends Pick<pg.ClientConfig, 'query_timeout' | 'connectionTimeoutMillis'> {
  /** Closes the connection, so that `act` fails. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Runs `act` over a new connection, and closes the connection afterwards.
 *
 * @throws {StartError} when the database cannot be reached
 * @throws the error of `act`
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
  } finally {
    await client.end()
  }
}

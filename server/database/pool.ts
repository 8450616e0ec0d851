import pg from 'pg'
import type { Logger } from '../log.ts'

/** The connections of one node, besides the heartbeat's. */
const POOL_SIZE = 10
/** How long a caller waits for a connection. */
const CONNECT_TIMEOUT_MS = 2_000
/** When the client gives up a statement: a little after the server's own timeout, in case the server hangs. */
const QUERY_TIMEOUT_MS = 4_000

/**
 * The settings of the pool's connections, whatever PostgreSQL's configuration, `DATABASE_URL` or a pooler say. Set after
 * connecting, since PgBouncer refuses `options` and `statement_timeout` at the start. Reasons and costs of
 * the first four: docs/decisions/0017-plans.md.
 */
const SETTINGS = Object.entries({
  statement_timeout: '3s',
  // One plan per connection: by default PostgreSQL plans most of our statements each time.
  plan_cache_mode: 'force_generic_plan',
  // A plan made while tables are small must still serve when they are large. Free as long as every statement can use an
  // index for every table: growth.test.ts.
  enable_seqscan: 'off',
  // A statement of half a millisecond is never worth half a second of compiling.
  jit: 'off',
  // Times are read in this format alone; a guest's attempt has a null in an array. Under a stricter isolation, acts that meet
  // fail instead of waiting.
  datestyle: 'ISO',
  array_nulls: 'on',
  default_transaction_isolation: 'read committed',
})
  .map(([name, value]) => `set ${name} = '${value}'`)
  .join('; ')

/** How to reach the database: an address or its parts. */
export type Connection = pg.ClientConfig

export type Database = pg.Pool

const { builtins } = pg.types

/** Reads bigint and numeric as numbers: counts and ids stay far below 2^53, times have three decimals. */
const types: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === builtins.INT8 || oid === builtins.NUMERIC) return Number
    return pg.types.getTypeParser(oid, format)
  },
}

/** The settings of any client; every wait is bounded. */
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

/** Opens the pool; nothing is connected until the first query. */
export function openDatabase(connection: Connection, log: Logger): Database {
  const pool = new pg.Pool({
    ...clientConfig(connection),
    max: POOL_SIZE,
    idleTimeoutMillis: 60_000,
    onConnect: client => client.query(SETTINGS),
  })
  pool.on('error', error => {
    // `end` does not wait for connections to close, and the embedded database stops right after it.
    if (!pool.ending) log.warn({ err: error }, 'an idle database connection was lost')
  })
  return pool
}

/** True when the data of one row was refused: the other rows of the statement may be fine. */
export function isBadRow(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && /^2[23]/.test(error.code ?? '')
}

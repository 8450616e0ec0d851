import pg from 'pg'
import type { Logger } from '../log.ts'

/**
 * Connections of one node beside the one that listens: one for the recorder, one for reads in batches, the rest for the
 * rare calls.
 */
const POOL_SIZE = 10
/** How long a caller waits for a connection. */
const CONNECT_TIMEOUT_MS = 2_000
/** The client gives a statement up after this, a little later than the server would, should the server hang. */
const QUERY_TIMEOUT_MS = 4_000

/**
 * What the server's own connections ask of PostgreSQL, whatever its configuration, `DATABASE_URL` or a pooler in between
 * say: set once connected, since PgBouncer refuses a start with `options` or `statement_timeout`. Why these and what they
 * cost: docs/decisions/0017-plans.md.
 */
const SETTINGS = Object.entries({
  statement_timeout: '3s',
  // One plan for a connection: by itself PostgreSQL plans most of our statements anew each time.
  plan_cache_mode: 'force_generic_plan',
  // A plan made while the game is new, when a table is best read whole, must serve it when it is old. It adds nothing to
  // the cost of a plan as long as every table of every statement can be read by an index: see growth.test.ts.
  enable_seqscan: 'off',
  // What runs for half a millisecond is never worth half a second of compiling.
  jit: 'off',
})
  .map(([name, value]) => `set ${name} = '${value}'`)
  .join('; ')

/** How to reach the database: an address, or the parts of one. */
export type Connection = pg.ClientConfig

export type Database = pg.Pool

const { builtins } = pg.types

/** Counts and ids stay far below 2^53; times are exact in 3 decimals; both are numbers here, not text. */
const types: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === builtins.INT8 || oid === builtins.NUMERIC) return Number
    return pg.types.getTypeParser(oid, format)
  },
}

/** A client's settings for any use of the database; every wait is bounded. */
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
    // `end` does not wait until they are gone, and the embedded database stops right after it.
    if (!pool.ending) log.warn({ err: error }, 'an idle database connection was lost')
  })
  return pool
}

/** SQLSTATE classes and codes that say the database is away or short of something, not that we erred. */
const AWAY_CLASSES = ['08', '53', '57', '58']
const AWAY_STATES = new Set(['25006', '40001', '40P01', '55P03', 'XX001', 'XX002'])

const AWAY_SYSTEM_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
])

/** The sentences of `pg` for lost connections and timeouts, which carry no code. */
const AWAY_MESSAGE =
  /Connection terminated|timeout exceeded|timeout expired|Query read timeout|Client has encountered a connection error|not queryable/

/** True when the same query may well succeed a moment later. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (AWAY_SYSTEM_CODES.has(code) || AWAY_STATES.has(code)) return true
  if (code.length === 5 && AWAY_CLASSES.includes(code.slice(0, 2))) return true
  return AWAY_MESSAGE.test(error.message)
}

/** True when the data of one row was refused, so that the rows beside it may still be fine. */
export function isBadRow(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && /^2[23]/.test(error.code ?? '')
}

import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { errorCode } from '../lib/files.ts'
import { StartError } from '../lib/start-error.ts'
import { withClient } from './client.ts'
import type { Connection } from './pool.ts'

/** SQLSTATEs of a server that does not know, or has already, the statement that another one was told to prepare. */
const NOT_PREPARED = new Set(['26000', '42P05'])
/** How PgBouncer refuses a transaction where it shares connections between statements. */
const NO_TRANSACTIONS = /statement pooling/

const READ_SETTING = { name: 'taps_session', text: `select current_setting('taps.session', true) as setting` }

/**
 * Tries whether a connection is one's own for as long as it lasts: that it keeps a setting and a prepared statement while
 * another connection is in the middle of a transaction. Through a pooler that shares connections between transactions it is
 * not, and neither the bounds of statements (pool.ts) nor prepared statements would work.
 *
 * @throws StartError when it is not
 * @throws the database's error when it could not be tried
 */
export async function requireOwnSession(connection: Connection): Promise<void> {
  const own = await withClient(connection, one =>
    withClient(connection, other =>
      keepsItsSession(one, other).catch(error => {
        if (NOT_PREPARED.has(errorCode(error)) || NO_TRANSACTIONS.test(error.message)) return false
        throw error
      }),
    ),
  )
  if (own) return
  throw new StartError(
    'DATABASE_URL leads to a pooler that shares its connections between transactions: ' +
      'let it keep one for each client (PgBouncer: pool_mode = session), or connect to PostgreSQL itself',
  )
}

async function keepsItsSession(one: pg.Client, other: pg.Client): Promise<boolean> {
  const token = randomUUID()
  await one.query(`select set_config('taps.session', $1, false)`, [token])
  await one.query(READ_SETTING)
  // A pooler hands out the connection that was given back last, or first: from here on `one` gets another than before.
  await other.query('begin')
  await other.query('select')
  const { rows } = await one.query<{ setting: string | null }>(READ_SETTING)
  await other.query('commit')
  return rows[0]?.setting === token
}

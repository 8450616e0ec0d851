import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { errorCode } from '../lib/files.ts'
import { StartError } from '../lib/start-error.ts'
import { withClient } from './client.ts'
import type { Connection } from './pool.ts'

/** SQLSTATEs for a prepared statement that is unknown, or known already. */
const NOT_PREPARED = new Set(['26000', '42P05'])
/** PgBouncer's refusal of transactions when it shares connections between statements. */
const NO_TRANSACTIONS = /statement pooling/

const READ_SETTING = { name: 'taps_session', text: `select current_setting('taps.session', true) as setting` }

/**
 * Checks that a connection keeps a setting and a prepared statement while another one is inside a
 * transaction. Behind a pooler that shares connections our timeouts would reach other programs.
 *
 * @throws {StartError} when it does not
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
  // Occupies the server connection that `one` has just used, if it is shared.
  await other.query('begin')
  await other.query('select')
  const { rows } = await one.query<{ setting: string | null }>(READ_SETTING)
  await other.query('commit')
  return rows[0]?.setting === token
}

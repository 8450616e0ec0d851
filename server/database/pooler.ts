import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { errorCode } from '../lib/files.ts'
import { StartError } from '../lib/start-error.ts'
import { withClient } from './client.ts'
import type { Connection } from './pool.ts'

/** The SQLSTATEs for an unknown and a duplicate prepared statement. */
const NOT_PREPARED = new Set(['26000', '42P05'])
/** PgBouncer's error for a transaction in statement pooling mode. */
const NO_TRANSACTIONS = /statement pooling/

const READ_SETTING = { name: 'taps_session', text: `select current_setting('taps.session', true) as setting` }

/**
 * Checks that each client has a server connection of its own. A pooler that shares connections would pass
 * our settings to other programs.
 *
 * @throws {StartError} when a pooler shares connections
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
    'DATABASE_URL leads to a pooler that shares its connections between clients: ' +
      'set pool_mode = session in PgBouncer, or connect to PostgreSQL directly',
  )
}

async function keepsItsSession(one: pg.Client, other: pg.Client): Promise<boolean> {
  const token = randomUUID()
  await one.query(`select set_config('taps.session', $1, false)`, [token])
  await one.query(READ_SETTING)
  // Occupies the server connection of `one`, if both clients share it.
  await other.query('begin')
  await other.query('select')
  const { rows } = await one.query<{ setting: string | null }>(READ_SETTING)
  await other.query('commit')
  return rows[0]?.setting === token
}

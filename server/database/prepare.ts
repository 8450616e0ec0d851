import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { ClientBase } from 'pg'
import { errorCode, StartError } from '../lib/errors.ts'
import { type Connection, withClient } from './connection.ts'
import { messageOf, rootOf } from './connection-errors.ts'
import { recordSecret } from './fingerprint.ts'
import { pendingFiles, underMigrationLock, upgrade } from './migrate.ts'
import { TABLES } from './tables.ts'

const OLDEST_POSTGRES = 15

/**
 * Checks PostgreSQL's version and encoding, and that PostgreSQL accepts writes. Encodings other than UTF8
 * cannot store every name.
 *
 * @throws {StartError} when a check fails
 */
export async function requireSupportedPostgres(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ version: string; encoding: string; writable: boolean }>(
    `select current_setting('server_version') as version, current_setting('server_encoding') as encoding,
      not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off' as writable`,
  )
  const { version = '', encoding, writable = false } = rows[0] ?? {}
  if (Number.parseInt(version, 10) < OLDEST_POSTGRES) {
    throw new StartError(
      `PostgreSQL ${OLDEST_POSTGRES} or newer is needed; DATABASE_URL points to ${version}`,
    )
  }
  if (encoding !== 'UTF8') {
    throw new StartError(
      `The database must have the encoding UTF8, not ${encoding}: createdb --encoding=UTF8`,
    )
  }
  if (!writable) {
    throw new StartError('The database is read-only; set DATABASE_URL to the primary')
  }
}

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

/** The SQLSTATEs that mean the role may not read or change the tables. */
const FORBIDDEN = new Set(['42501', '3F000'])

/**
 * Checks that the role may create the tables, and owns those that exist.
 *
 * @throws {StartError} when a start could not prepare the database
 */
export async function requireRights(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ schema: string | null; lacking: string[] }>(
    `select current_schema() as schema,
      array(
        select format('%I is not owned by the role', relname) from pg_class
        where relname = any ($1) and relnamespace = current_schema()::regnamespace and not pg_has_role(relowner, 'usage')
        union all
        select 'permission denied for schema ' || current_schema() where not has_schema_privilege(current_schema(), 'create')
      ) as lacking`,
    [TABLES],
  )
  const { schema = null, lacking = [] } = rows[0] ?? {}
  const [reason] = schema === null ? ['no schema has been selected to create in'] : lacking
  if (reason !== undefined) throw rightsError(reason)
}

function rightsError(reason: string, cause?: unknown): StartError {
  return new StartError(
    `The role of DATABASE_URL cannot create or change the tables (${reason}): ` +
      'let the role own the database or a schema that has the name of the role',
    { cause },
  )
}

/** The SQLSTATE of an upgrade that waited too long for a table. */
const LOCKED = '55P03'
const IN_USE = 'The game cannot be upgraded while a backup reads it: start again when the backup has ended'

/** The SQLSTATE of an upgrade that the operator must prepare; its message says how. */
const UNPREPARED = 'TAPS1'

const STATEMENT_TIMEOUT_MS = 300_000

export const PREPARE_TIMEOUT = { query_timeout: STATEMENT_TIMEOUT_MS + 1_000 } as const

/**
 * Checks PostgreSQL's version, encoding and write access. Then migrates the tables and stores the secret's
 * fingerprint and the key of passwords in one transaction.
 *
 * @param client - A dedicated connection; this function changes its timeouts.
 * @param log - Receives a line before and after an upgrade of an existing game.
 * @throws {StartError} for a problem that the operator can fix
 */
export async function prepareDatabase(
  client: ClientBase,
  secret: string,
  log: (fields: object, event: string) => void,
): Promise<void> {
  await client.query(`set statement_timeout = ${STATEMENT_TIMEOUT_MS}`)
  await requireSupportedPostgres(client)
  try {
    await underMigrationLock(client, async () => {
      const files = await pendingFiles(client)
      if (files.length > 0) log({ files }, 'upgrading the game; attempts wait for the end of the upgrade')
      const startedAt = performance.now()
      await upgrade(client)
      await recordSecret(client, secret)
      const seconds = Math.round((performance.now() - startedAt) / 1_000)
      if (files.length > 0) log({ seconds }, 'game upgraded')
    })
  } catch (error) {
    const cause = rootOf(error)
    if (FORBIDDEN.has(errorCode(cause))) throw rightsError(messageOf(cause), cause)
    if (errorCode(cause) === LOCKED) throw new StartError(IN_USE, { cause })
    if (errorCode(cause) === UNPREPARED) throw new StartError(messageOf(cause), { cause })
    throw error
  }
}

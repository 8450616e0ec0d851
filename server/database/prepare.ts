import type { ClientBase } from 'pg'
import { errorCode } from '../lib/files.ts'
import { StartError } from '../lib/start-error.ts'
import { messageOf, rootOf } from './connection-errors.ts'
import { keepFingerprint } from './fingerprint.ts'
import { underMigrationLock, upgrade } from './migrate.ts'
import { requireSupportedPostgres } from './requirements.ts'

/** SQLSTATEs when the role may not change the tables, or not even see them. */
const FORBIDDEN = new Set(['42501', '3F000'])

/** How long one statement may take at a start: long enough to change a large table. */
const STATEMENT_TIMEOUT_MS = 300_000

/** How long a start waits for a lock, such as that of another node's migration. */
const LOCK_TIMEOUT_MS = 60_000

/** The limit of the client that prepares a database: it gives up a server that hangs. */
export const PREPARE_TIMEOUT = { query_timeout: STATEMENT_TIMEOUT_MS + 1_000 } as const

/**
 * Prepares a database for this release, all or nothing: checks PostgreSQL, migrates the tables, and stores the secret's
 * fingerprint.
 *
 * @param client used by nobody else
 * @throws StartError for what the operator can mend
 * @throws the database's error for anything unforeseen
 */
export async function prepareDatabase(client: ClientBase, secret: string): Promise<void> {
  await client.query(`set statement_timeout = ${STATEMENT_TIMEOUT_MS}; set lock_timeout = ${LOCK_TIMEOUT_MS}`)
  await requireSupportedPostgres(client)
  try {
    await underMigrationLock(client, async () => {
      await upgrade(client)
      await keepFingerprint(client, secret)
    })
  } catch (error) {
    const cause = rootOf(error)
    if (!FORBIDDEN.has(errorCode(cause))) throw error
    throw new StartError(`The role of DATABASE_URL must own the database (${messageOf(cause)})`, { cause })
  }
}

import type { ClientBase } from 'pg'
import { errorCode } from '../lib/files.ts'
import { StartError } from '../lib/start-error.ts'
import { messageOf, rootOf } from './connection-errors.ts'
import { recordSecret } from './fingerprint.ts'
import { underMigrationLock, upgrade } from './migrate.ts'
import { requireSupportedPostgres } from './requirements.ts'

/** The SQLSTATEs that mean the role may not read or change the tables. */
const FORBIDDEN = new Set(['42501', '3F000'])

const STATEMENT_TIMEOUT_MS = 300_000

const LOCK_TIMEOUT_MS = 60_000

export const PREPARE_TIMEOUT = { query_timeout: STATEMENT_TIMEOUT_MS + 1_000 } as const

/**
 * Checks PostgreSQL's version, encoding and write access. Then migrates the tables and stores the secret's
 * fingerprint and the key of passwords in one transaction.
 *
 * @param client - A dedicated connection; this function changes its timeouts.
 * @throws {StartError} for a problem that the operator can fix
 */
export async function prepareDatabase(client: ClientBase, secret: string): Promise<void> {
  await client.query(`set statement_timeout = ${STATEMENT_TIMEOUT_MS}; set lock_timeout = ${LOCK_TIMEOUT_MS}`)
  await requireSupportedPostgres(client)
  try {
    await underMigrationLock(client, async () => {
      await upgrade(client)
      await recordSecret(client, secret)
    })
  } catch (error) {
    const cause = rootOf(error)
    if (!FORBIDDEN.has(errorCode(cause))) throw error
    throw new StartError(
      `The role of DATABASE_URL cannot create or change the tables (${messageOf(cause)}): ` +
        'let the role own the database or a schema that has the name of the role',
      { cause },
    )
  }
}

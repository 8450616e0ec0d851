import type { ClientBase } from 'pg'
import { errorCode } from '../lib/files.ts'
import { StartError } from '../lib/start-error.ts'
import { keepFingerprint } from './fingerprint.ts'
import { requireSupportedPostgres } from './fitness.ts'
import { underMigrationLock, upgrade } from './migrate.ts'
import { messageOf, rootOf } from './refusal.ts'

/** SQLSTATEs when the role may not change the tables, or not even see them. */
const FORBIDDEN = new Set(['42501', '3F000'])

/**
 * Prepares a database for this release, all or nothing: checks PostgreSQL, migrates the tables, and stores the secret's
 * fingerprint.
 *
 * @param client used by nobody else
 * @throws StartError for what the operator can mend
 * @throws the database's error for anything unforeseen
 */
export async function prepareDatabase(client: ClientBase, secret: string): Promise<void> {
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

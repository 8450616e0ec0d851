import type { ClientBase } from 'pg'
import { errorCode } from '../lib/files.ts'
import { StartError } from '../lib/start-error.ts'
import { keepFingerprint } from './fingerprint.ts'
import { requireSupportedPostgres } from './fitness.ts'
import { underMigrationLock, upgrade } from './migrate.ts'
import { messageOf, rootOf } from './refusal.ts'

/** SQLSTATEs of a role that may not change the tables, or not even see them. */
const FORBIDDEN = new Set(['42501', '3F000'])

/**
 * Makes a database one that this release can serve, all of it or nothing: looks whether it fits, brings its tables to this
 * release, and notes whose secret the game is made with.
 *
 * @param client used by nobody else
 * @throws StartError for what an operator can mend
 * @throws the database's error for what nobody has foreseen
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

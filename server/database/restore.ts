import pg, { type ClientBase } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { StartError } from '../lib/errors.ts'
import type { Backup } from './backup.ts'
import { recordSecret, replaceFingerprint } from './fingerprint.ts'
import { hasGame, MIGRATIONS_TABLE, readSchema, underMigrationLock, upgrade } from './migrate.ts'
import { existingTables, setSequences } from './tables.ts'

/**
 * Restores a backup into an empty database and migrates the tables to this release, in one transaction. Deletes all
 * sessions, because a logout or a new password may have ended them since the backup.
 *
 * @param client - A connection with no other use.
 * @param keepSecret - Stores the secret for the server; runs before the commit, so that no game lacks its
 * secret.
 * @throws {StartError} when the database contains a game, or a newer release made the backup
 */
export async function restore(
  client: ClientBase,
  backup: Backup,
  keepSecret: (secret: string) => Promise<void>,
): Promise<void> {
  // A server that starts during the restore waits for the lock.
  await underMigrationLock(client, async () => {
    if (await hasGame(client)) {
      throw new StartError('This database already holds a game; restore into an empty database')
    }
    await load(client, backup)
    await client.query('delete from sessions')
    await upgrade(client)
    // A backup of an earlier release has no row of its own.
    await replaceFingerprint(client, backup.secret)
    await recordSecret(client, backup.secret)
    await keepSecret(backup.secret)
  })
}

/** Creates the tables of the backup's release, and loads the rows. */
async function load(client: ClientBase, backup: Backup): Promise<void> {
  const loadRows = (table: string) =>
    backup.load(table, client.query(copyFrom(`copy ${table} from stdin`))).catch(nameTwins)
  await client.query(MIGRATIONS_TABLE)
  await loadRows('migrations')
  const { applied } = await readSchema(client)
  for (const { sql } of applied) await client.query(sql)
  const tables = (await existingTables(client)).filter(table => table !== 'migrations')
  // Removes the rows that the numbered files insert.
  await client.query(`truncate ${tables.join(', ')}`)
  for (const table of tables.filter(name => backup.tables.includes(name))) await loadRows(table)
  await setSequences(client, backup.sequences)
}

/**
 * Explains a backup with two users of the same name: a damaged index let the second sign up.
 *
 * @throws {StartError} for such a backup, else the error
 */
function nameTwins(error: unknown): never {
  // Only the names are in the system's language.
  const [, key] =
    (error instanceof pg.DatabaseError && /\(username_key\)=\((.*)\)/.exec(error.detail ?? '')) || []
  if (key === undefined) throw error
  throw new StartError(
    `The backup has two users of the same name, ${JSON.stringify(key)}: rename one of them in the game that it was ` +
      'made of (./taps doctor names them), and make another backup',
    { cause: error },
  )
}

import type { ClientBase } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { StartError } from '../lib/start-error.ts'
import type { Backup } from './backup.ts'
import { replaceFingerprint } from './fingerprint.ts'
import { hasGame, MIGRATIONS_TABLE, readSchema, underMigrationLock, upgrade } from './migrate.ts'
import { readTables, setSequences } from './tables.ts'

/**
 * Puts the game of a backup into an empty database and brings it to this release's schema, all of it or nothing.
 *
 * @param client used by nobody else
 * @param keepSecret puts the secret where the server will look for it; last of all before the commit, so that
 *   no game is ever there without its secret
 * @throws StartError when a game is there, or another release has made the backup
 * @throws what the database says when it refuses something
 */
export async function restore(
  client: ClientBase,
  backup: Backup,
  keepSecret: (secret: string) => Promise<void>,
): Promise<void> {
  // A server that starts meanwhile waits for the lock, and then finds a whole game.
  await underMigrationLock(client, async () => {
    if (await hasGame(client)) {
      throw new StartError('There is a game in this database already, and none is ever overwritten')
    }
    await load(client, backup)
    await upgrade(client)
    await replaceFingerprint(client, backup.secret)
    await keepSecret(backup.secret)
  })
}

/** The tables are made by the same files as those of the game that was backed up: its rows fit them. */
async function load(client: ClientBase, backup: Backup): Promise<void> {
  const loadRows = (table: string) => backup.load(table, client.query(copyFrom(`copy ${table} from stdin`)))
  await client.query(MIGRATIONS_TABLE)
  await loadRows('migrations')
  const { applied } = await readSchema(client)
  for (const { sql } of applied) await client.query(sql)
  // The acts are made anew, as this release has them.
  await client.query(`update migrations set hash = '' where not file = any ($1)`, [
    applied.map(({ file }) => file),
  ])
  const tables = (await readTables(client)).filter(table => table !== 'migrations')
  // Migrations put rows of their own into new tables.
  await client.query(`truncate ${tables.join(', ')}`)
  for (const table of tables) await loadRows(table)
  await setSequences(client, backup.sequences)
}

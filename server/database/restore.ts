import type { ClientBase } from 'pg'
import { StartError } from '../lib/start-error.ts'
import type { Backup } from './backup.ts'
import { load } from './dump.ts'
import { hasGame, MIGRATION_LOCK, migrate } from './migrate.ts'

/**
 * Puts the game of a backup into an empty database, all of it or nothing, and brings it to this release's
 * schema.
 *
 * @param client used by nobody else
 * @param keepSecret puts the secret where the server will look for it; last of all before the commit, so that
 *   no game is ever there without its secret
 * @throws StartError when a game is there, or the backup cannot be loaded
 */
export async function restore(
  client: ClientBase,
  backup: Backup,
  keepSecret: (secret: string) => Promise<void>,
): Promise<void> {
  await client.query('begin')
  try {
    // A server that starts meanwhile waits here, and then finds a whole game.
    await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
    if (await hasGame(client)) {
      throw new StartError('There is a game in this database already, and none is ever overwritten')
    }
    await backup.read(script => load(client, script))
    // Refuses what another release has made.
    await hasGame(client)
    await keepSecret(backup.secret)
    await client.query('commit')
  } catch (error) {
    // What failed first is what counts, also when it took the connection along.
    await client.query('rollback').catch(() => undefined)
    throw error
  }
  await migrate(client)
}

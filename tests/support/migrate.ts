import type { ClientBase } from 'pg'
import { type Folders, underMigrationLock, upgrade } from '../../server/database/migrate.ts'

/** Migrates a database as a server's start does, to this or another release. Stores no fingerprint. */
export async function migrate(client: ClientBase, folders?: Folders, release?: number): Promise<void> {
  await underMigrationLock(client, () => upgrade(client, folders, release))
}

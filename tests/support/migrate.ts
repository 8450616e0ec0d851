import type { ClientBase } from 'pg'
import { type Folders, underMigrationLock, upgrade } from '../../server/database/migrate.ts'

/** Migrates a database to this or another release like a server's start, but stores no fingerprint. */
export async function migrate(client: ClientBase, folders?: Folders, release?: number): Promise<void> {
  await underMigrationLock(client, () => upgrade(client, folders, release))
}

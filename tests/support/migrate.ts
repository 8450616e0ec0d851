import { cp, mkdir, readdir, rm } from 'node:fs/promises'
import type { ClientBase } from 'pg'
import { type Folders, underMigrationLock, upgrade } from '../../server/database/migrate.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** Migrates a database as a server's start does, to this or another release. Stores no fingerprint. */
export async function migrate(client: ClientBase, folders?: Folders, release?: number): Promise<void> {
  await underMigrationLock(client, () => upgrade(client, folders, release))
}

/** The last numbered file of release 1.1.0. */
const LAST_OF_110 = '0008'

/** Makes an empty database the game of a node of 1.1.0, with its tables and views. */
export async function migrateTo110(client: ClientBase): Promise<void> {
  const folder = await temporaryFolder('taps-release-1.1.0-')
  const folders: Folders = { migrations: `${folder}/migrations`, functions: `${folder}/functions` }
  try {
    await cp('sql/migrations', folders.migrations, { recursive: true })
    for (const file of await readdir(folders.migrations)) {
      if (file.slice(0, 4) > LAST_OF_110) await rm(`${folders.migrations}/${file}`)
    }
    await mkdir(folders.functions)
    for (const view of ['prize_ends.sql', 'account_players.sql']) {
      await cp(`sql/functions/${view}`, `${folders.functions}/${view}`)
    }
    await migrate(client, folders, 8)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

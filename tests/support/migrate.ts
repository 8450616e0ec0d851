import { cp, readdir, rm } from 'node:fs/promises'
import type { ClientBase } from 'pg'
import { type Folders, underMigrationLock, upgrade } from '../../server/database/migrate.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** Migrates a database as a server's start does, to this or another release. Stores no fingerprint. */
export async function migrate(client: ClientBase, folders?: Folders, release?: number): Promise<void> {
  await underMigrationLock(client, () => upgrade(client, folders, release))
}

/** The last numbered file of each release, and the release number. */
const RELEASES = {
  '1.1.0': ['0008_refuse_older_nodes.sql', 8],
  '1.2.0': ['0010_taken_back.sql', 9],
} as const

/** Makes an empty database the game of an earlier release, as far as tables are concerned. */
export async function migrateToRelease(client: ClientBase, version: keyof typeof RELEASES): Promise<void> {
  const [lastFile, release] = RELEASES[version]
  const folder = await temporaryFolder('taps-earlier-release-')
  const folders: Folders = { migrations: `${folder}/migrations`, functions: `${folder}/functions` }
  try {
    await cp('sql', folder, { recursive: true })
    for (const file of await readdir(folders.migrations)) {
      if (file > lastFile) await rm(`${folders.migrations}/${file}`)
    }
    // PostgreSQL checks this function's columns when it is created.
    await rm(`${folders.functions}/last_attempt.sql`)
    await migrate(client, folders, release)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

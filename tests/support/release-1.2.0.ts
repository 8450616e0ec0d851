import { cp, readdir, rm } from 'node:fs/promises'
import type { ClientBase } from 'pg'
import type { Connection } from '../../server/database/connection.ts'
import type { Folders } from '../../server/database/migrate.ts'
import { withClient } from './connect.ts'
import { migrate } from './migrate.ts'
import { temporaryFolder } from './temporary-folder.ts'

const LAST_FILE = '0010_taken_back.sql'

/** Makes an empty database the game of a node of 1.2.0, as far as tables are concerned. */
export async function migrateTo120(client: ClientBase): Promise<void> {
  const folder = await temporaryFolder('taps-release-1.2.0-')
  const folders: Folders = { migrations: `${folder}/migrations`, functions: `${folder}/functions` }
  try {
    await cp('sql', folder, { recursive: true })
    for (const file of await readdir(folders.migrations)) {
      if (file > LAST_FILE) await rm(`${folders.migrations}/${file}`)
    }
    await migrate(client, folders, 9)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Leaves the index on names as after an upgrade of the system's C library: its order is not that of its collation.
 * The role must be a superuser.
 */
export async function damageIndex(connection: Connection): Promise<void> {
  await withClient(connection, client =>
    client.query(`
      alter table users drop constraint users_username_key_key;
      create unique index users_username_key_key on users (username_key collate "und-x-icu");
      update pg_index set indcollation = (
        select attcollation::text::oidvector from pg_attribute
        where attrelid = 'users'::regclass and attname = 'username_key'
      ) where indexrelid = 'users_username_key_key'::regclass`),
  )
  // A second connection, because the first one has kept the collation in its cache.
  await withClient(connection, client =>
    client.query('alter table users add unique using index users_username_key_key'),
  )
}

/** Creates users with these names, which are their own keys. Returns their IDs. */
export async function insertUsers(client: ClientBase, names: readonly string[]): Promise<number[]> {
  const { rows } = await client.query<{ id: number }>(
    `insert into users (username, username_key, password_hash, player)
    select name, name, '', gen_random_uuid() from unnest($1::text[]) with ordinality as named (name, place) order by place
    returning id`,
    [names],
  )
  return rows.map(({ id }) => id)
}

/** Names whose order differs between collations. */
export const NAMES: readonly string[] = Array.from('øabåozæß2ц🎯e', letter =>
  ['', 'n', 'ø'].map(more => `${letter}${more}t`),
).flat()

import type { ClientBase } from 'pg'
import type { Connection } from '../../server/database/connection.ts'
import { withClient } from './connect.ts'

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

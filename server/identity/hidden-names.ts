import type { ClientBase } from 'pg'
import { nameKey } from '../../contract/name.ts'
import type { Database } from '../database/pool.ts'

/** All of them are read with every change of the feed. */
export const MAX_HIDDEN_NAMES = 1_000

/** The keys of the names that are shown to nobody. */
export async function hiddenNameKeys(database: Database): Promise<ReadonlySet<string>> {
  const { rows } = await database.query<{ name_key: string }>({
    name: 'hidden_name_keys',
    text: 'select name_key from hidden_names',
  })
  return new Set(rows.map(row => row.name_key))
}

/** The names that an operator has hidden, the newest first. */
export async function hiddenNames(client: ClientBase): Promise<{ username: string; hiddenAt: Date }[]> {
  const { rows } = await client.query<{ username: string; hiddenAt: Date }>(
    'select username, hidden_at as "hiddenAt" from hidden_names order by hidden_at desc, name_key',
  )
  return rows
}

/** Hides a name, however it is written; false when there is no room for one more. */
export async function hideName(client: ClientBase, username: string): Promise<boolean> {
  const { rows } = await client.query<{ hidden: boolean }>(
    `with added as (
      insert into hidden_names (name_key, username)
      select $1, $2 where (select count(*) from hidden_names) < $3
      on conflict do nothing
      returning name_key
    )
    select exists (select from added) or exists (select from hidden_names where name_key = $1) as hidden`,
    [nameKey(username), username, MAX_HIDDEN_NAMES],
  )
  return rows[0]?.hidden === true
}

/** Shows a name again; false when it was not hidden. */
export async function showName(client: ClientBase, username: string): Promise<boolean> {
  const { rowCount } = await client.query('delete from hidden_names where name_key = $1', [nameKey(username)])
  return rowCount === 1
}

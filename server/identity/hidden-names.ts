import type { ClientBase } from 'pg'
import type { Database } from '../database/pool.ts'
import { skeleton } from './skeleton.ts'

/** All of them are read with every change of the feed. */
export const MAX_HIDDEN_NAMES = 1_000

/** The skeletons of the names that are shown to nobody. */
export async function hiddenSkeletons(database: Database): Promise<ReadonlySet<string>> {
  const { rows } = await database.query<{ skeleton: string }>({
    name: 'hidden_skeletons',
    text: 'select skeleton from hidden_names',
  })
  return new Set(rows.map(row => row.skeleton))
}

/** The names that an operator has hidden, the newest first. */
export async function hiddenNames(client: ClientBase): Promise<{ username: string; hiddenAt: Date }[]> {
  const { rows } = await client.query<{ username: string; hiddenAt: Date }>(
    'select username, hidden_at as "hiddenAt" from hidden_names order by hidden_at desc, skeleton',
  )
  return rows
}

/** Hides a name and all that look like it; false when there is no room for one more. */
export async function hideName(client: ClientBase, username: string): Promise<boolean> {
  const { rows } = await client.query<{ hidden: boolean }>(
    `with added as (
      insert into hidden_names (skeleton, username)
      select $1, $2 where (select count(*) from hidden_names) < $3
      on conflict do nothing
      returning skeleton
    )
    select exists (select from added) or exists (select from hidden_names where skeleton = $1) as hidden`,
    [skeleton(username), username, MAX_HIDDEN_NAMES],
  )
  return rows[0]?.hidden === true
}

/** Shows a name again; false when it was not hidden. */
export async function showName(client: ClientBase, username: string): Promise<boolean> {
  const { rowCount } = await client.query('delete from hidden_names where skeleton = $1', [
    skeleton(username),
  ])
  return rowCount === 1
}

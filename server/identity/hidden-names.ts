import type { ClientBase } from 'pg'
import { nameKey } from '../../contract/name.ts'
import type { Database } from '../database/pool.ts'
import { performOperatorAct } from './operator-acts.ts'

/** The keys of the names that are hidden. */
export async function hiddenNameKeys(database: Database): Promise<ReadonlySet<string>> {
  const { rows } = await database.query<{ name_key: string }>({
    name: 'hidden_name_keys',
    text: 'select name_key from hidden_names',
  })
  return new Set(rows.map(row => row.name_key))
}

/** Hides a name, in any spelling, of guests and of an account. */
export async function hideName(client: ClientBase, username: string): Promise<void> {
  const key = nameKey(username)
  const act = { act: 'hide', userId: await accountOf(client, key), name: username }
  await performOperatorAct(client, act, 'select hide_name($1, $2)', [key, username])
}

/** Shows a hidden name again; false when it was not hidden. */
export async function unhideName(client: ClientBase, username: string): Promise<boolean> {
  const key = nameKey(username)
  const shown = await performOperatorAct(
    client,
    { act: 'unhide', userId: await accountOf(client, key), name: username },
    'select from unhide_name($1) as shown where shown',
    [key],
  )
  return shown !== undefined
}

async function accountOf(client: ClientBase, key: string): Promise<number | undefined> {
  const { rows } = await client.query<{ id: number }>('select id from users where username_key = $1', [key])
  return rows[0]?.id
}

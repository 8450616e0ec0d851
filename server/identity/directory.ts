import type { ClientBase } from 'pg'
import { nameKey } from '../../contract/name.ts'
import type { PlayerId } from './player.ts'

/** An account, as an operator sees it. */
export interface Account {
  readonly id: number
  readonly username: string
  readonly player: PlayerId
  readonly balance: number
  readonly createdAt: Date
  readonly bannedAt: Date | null
  readonly hiddenAt: Date | null
  readonly flaggedAt: Date | null
}

const COLUMNS = `
  users.id, users.username, users.player, users.taps_balance as balance, users.created_at as "createdAt",
  users.banned_at as "bannedAt",
  (select hidden_at from hidden_names where name_key = users.username_key) as "hiddenAt",
  (select flagged_at from flags where flags.player = users.player and cleared_at is null) as "flaggedAt"`

async function read(client: ClientBase, condition: string, values: readonly unknown[]): Promise<Account[]> {
  const { rows } = await client.query<Account>(`select ${COLUMNS} from users ${condition}`, [...values])
  return rows
}

/** The account with this name, in any spelling. */
export async function accountOfName(client: ClientBase, name: string): Promise<Account | undefined> {
  const [account] = await read(client, 'where username_key = $1', [nameKey(name)])
  return account
}

/** The account with this id. */
export async function accountOfId(client: ClientBase, id: number): Promise<Account | undefined> {
  const [account] = await read(client, 'where id = $1', [id])
  return account
}

/** The newest accounts with an id up to this one, newest first. */
export function newestAccounts(client: ClientBase, upTo: number, limit: number): Promise<Account[]> {
  return read(client, 'where id <= $1 order by id desc limit $2', [upTo, limit])
}

/** The accounts whose name contains this, in any spelling, shortest names first. */
export function searchAccounts(client: ClientBase, part: string, limit: number): Promise<Account[]> {
  return read(
    client,
    'where position($1 in username_key) > 0 order by char_length(username_key), username_key limit $2',
    [nameKey(part), limit],
  )
}

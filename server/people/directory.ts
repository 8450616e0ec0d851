import type { ClientBase } from 'pg'
import { nameKey } from '../../contract/name.ts'
import type { PlayerId } from './player.ts'

export interface UserRecord {
  readonly id: number
  readonly username: string
  readonly playerId: PlayerId
  readonly balance: number
  readonly createdAt: Date
  readonly bannedAt: Date | null
}

const COLUMNS = `
  users.id, users.username, users.player as "playerId", users.taps_balance as balance, users.created_at as "createdAt",
  users.banned_at as "bannedAt"`

async function read(
  client: ClientBase,
  condition: string,
  values: readonly unknown[],
): Promise<UserRecord[]> {
  const { rows } = await client.query<UserRecord>(`select ${COLUMNS} from users ${condition}`, [...values])
  return rows
}

export async function findUserByName(client: ClientBase, name: string): Promise<UserRecord | undefined> {
  const [user] = await read(client, 'where username_key = $1', [nameKey(name)])
  return user
}

export async function findUserById(client: ClientBase, id: number): Promise<UserRecord | undefined> {
  const [user] = await read(client, 'where id = $1', [id])
  return user
}

/** Finds users by a part of their name, shortest names first. */
export function searchUsers(client: ClientBase, part: string, limit: number): Promise<UserRecord[]> {
  return read(
    client,
    'where position($1 in username_key) > 0 order by char_length(username_key), username_key limit $2',
    [nameKey(part), limit],
  )
}

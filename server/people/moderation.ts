import { randomBytes } from 'node:crypto'
import type { ClientBase } from 'pg'
import { DELETED_NAME, nameKey } from '../../contract/name.ts'
import { renameAttempts } from './account.ts'
import type { PlayerId } from './caller.ts'
import { type OperatorAct, runAudited } from './operator-acts.ts'
import type { Passwords } from './passwords.ts'

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

export const PASSWORD_DAYS = 3

/** Crockford's base32, whose characters do not look alike. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const GROUPS = 5
const GROUP_LETTERS = 4

function on({ id, username }: UserRecord, act: string, detail?: string): OperatorAct {
  return { act, userId: id, name: username, detail }
}

/**
 * Gives a user a random password, valid for PASSWORD_DAYS, and ends the user's sessions.
 *
 * @returns the password; null when the user is gone
 */
export async function resetPassword(
  client: ClientBase,
  passwords: Passwords,
  user: UserRecord,
): Promise<string | null> {
  const password = randomPassword()
  const done = await runAudited(
    client,
    on(user, 'reset-password'),
    'select from reset_password($1, $2, $3) as reset where reset',
    [nameKey(user.username), await passwords.hash(password), `${PASSWORD_DAYS} days`],
  )
  return done ? password : null
}

/**
 * @param next - The new name, from `checkName`.
 * @returns false when the name is taken, or the user is gone
 */
export async function renameUser(client: ClientBase, user: UserRecord, next: string): Promise<boolean> {
  const done = await runAudited(
    client,
    on(user, 'rename', `to ${next}`),
    'select from rename_account($1, $2, $3) as renamed where renamed',
    [nameKey(user.username), next, nameKey(next)],
  )
  if (!done) return false
  // Attempts made before the sign-up contain the guest's name.
  await renameAttempts(client, user.playerId, next)
  return true
}

/** @returns how many sessions ended; null when the user is already banned or gone */
export async function banUser(client: ClientBase, user: UserRecord, reason?: string): Promise<number | null> {
  const done = await runAudited<{ ended: number }>(
    client,
    on(user, 'ban', reason),
    'select ended from ban_account($1) as ended where ended is not null',
    [user.id],
  )
  return done?.ended ?? null
}

export async function unbanUser(client: ClientBase, user: UserRecord): Promise<boolean> {
  const done = await runAudited(
    client,
    on(user, 'unban'),
    'update users set banned_at = null where id = $1 and banned_at is not null returning true as unbanned',
    [user.id],
  )
  return done !== undefined
}

/**
 * Deletes a user without asking for the password.
 *
 * @returns the TAPS moved to the pool; null when the user is gone or has just changed the password
 */
export async function deleteUser(client: ClientBase, user: UserRecord): Promise<number | null> {
  const round = await renameAttempts(client, user.playerId, DELETED_NAME)
  const done = await runAudited<{ taps: number }>(
    client,
    on(user, 'delete'),
    `select taps
    from users cross join lateral delete_account(users.id, users.password_hash, $2, $3) as taps
    where users.id = $1 and taps is not null`,
    [user.id, round, DELETED_NAME],
  )
  return done?.taps ?? null
}

/**
 * Deletes a guest. Their attempts stay, without the name.
 *
 * @returns the TAPS moved to the pool; null when no guest with this ID has played
 */
export async function deleteGuest(client: ClientBase, playerId: PlayerId): Promise<number | null> {
  // Renames nothing of an account, whose name must not change before its deletion.
  if ((await client.query('select from account_players where player = $1', [playerId])).rowCount) return null
  const round = await renameAttempts(client, playerId, DELETED_NAME)
  const done = await runAudited<{ taps: number }>(
    client,
    { act: 'delete-guest', detail: `player ${playerId}` },
    'select taps from delete_guest($1, $2, $3) as taps where taps is not null',
    [playerId, round, DELETED_NAME],
  )
  return done?.taps ?? null
}

function randomPassword(): string {
  return Array.from({ length: GROUPS }, randomGroup).join('-')
}

function randomGroup(): string {
  return Array.from(randomBytes(GROUP_LETTERS), byte => ALPHABET[byte & 31]).join('')
}

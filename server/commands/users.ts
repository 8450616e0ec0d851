import { randomUUID } from 'node:crypto'
import type { ClientBase } from 'pg'
import { checkName, DELETED_NAME } from '../../contract/name.ts'
import { nameKey } from '../../contract/name-key.ts'
import { readPasswordKey } from '../database/fingerprint.ts'
import { StartError } from '../lib/errors.ts'
import { renameAttempts } from '../people/account.ts'
import { PasswordHasher } from '../people/passwords.ts'
import type { Command } from './command.ts'
import { runAudited } from './operator-acts.ts'
import { findUsers, type UserRecord } from './user-record.ts'
import { withGame } from './with-database.ts'

const MAX_FOUND = 50
const PASSWORD_DAYS = 3

const PLAYER_ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Commands about users. The operator gives a name, in any spelling, or an ID such as `id:17`. */
export const USERS: readonly Command[] = [
  on('search <part>', 'Lists the users whose name contains this part.', search),
  on('reset-password <name>', "Gives a user a random password, and ends the user's sessions.", resetPassword),
  on('rename <name> <new-name>', 'Renames a user, including in all attempts.', rename),
  on(
    'ban <name> [reason]',
    "Ends a user's sessions, refuses logins, and puts the user's TAPS back into the pool for good.",
    ban,
  ),
  on('unban <name>', 'Lets a banned user log in again.', unban),
  on(
    'delete <name>',
    'Deletes a user, or the guest with this player ID; the TAPS go back to the pool.',
    remove,
  ),
]

type Lines = readonly string[]
type Act = (client: ClientBase, args: readonly string[]) => Promise<Lines>

function on(form: string, help: string, act: Act): Command {
  return {
    form: `users ${form}`,
    help,
    run: (call, ...args) => withGame(call, async client => ({ ok: true, lines: await act(client, args) })),
  }
}

async function search(client: ClientBase, [part = '']: Lines): Promise<Lines> {
  if (nameKey(part) === '') throw new StartError(`${quote(part)} has no letter, digit or emoji to search for`)
  const shortestFirst = 'order by char_length(username_key), username_key'
  const condition = `where position($1 in username_key) > 0 ${shortestFirst} limit $2`
  const users = await findUsers(client, condition, nameKey(part), MAX_FOUND + 1)
  if (users.length === 0) return ['No name contains this part.']
  const more =
    users.length > MAX_FOUND ? ['Only the shortest names are shown: search for a longer part.'] : []
  return [...users.slice(0, MAX_FOUND).map(describe), ...more]
}

async function rename(client: ClientBase, [name, next = '']: Lines): Promise<Lines> {
  const check = checkName(next)
  if (!check.ok) throw new StartError(check.problem)
  const user = await find(client, name)
  const done = await runAudited(
    client,
    { act: 'rename', user, detail: `to ${check.name}` },
    'select from rename_account($1, $2, $3) as renamed where renamed',
    [user.id, check.name, nameKey(check.name)],
  )
  if (!done) {
    throw new StartError(
      `The name ${quote(check.name)} is taken, perhaps in another spelling: choose another name`,
    )
  }
  // Attempts made before the sign-up contain the guest's name.
  await renameAttempts(client, user.playerId, check.name)
  return [`${nameAndId(user)} is now called ${quote(check.name)}, also in all earlier attempts.`]
}

async function resetPassword(client: ClientBase, [name]: Lines): Promise<Lines> {
  const user = await find(client, name)
  const password = randomUUID()
  const hasher = new PasswordHasher(() => readPasswordKey(client))
  const done = await runAudited(
    client,
    { act: 'reset-password', user },
    'select from change_password($1, null, $2, null, $3) as changed where changed',
    [user.id, await hasher.hash('here', password), `${PASSWORD_DAYS} days`],
  )
  if (!done) throw changed(user)
  return [
    `The password of ${nameAndId(user)} is now ${password}`,
    `The password is shown once and is valid for ${PASSWORD_DAYS} days. The user should change the password in the account menu.`,
    'All sessions of this user have ended.',
    ...(user.bannedAt ? ['The ban stays: this user cannot log in.'] : []),
  ]
}

async function ban(client: ClientBase, [name, detail]: Lines): Promise<Lines> {
  const user = await find(client, name)
  const statement = 'select taps from ban_account($1) as taps where taps is not null'
  const done = await runAudited<{ taps: number }>(client, { act: 'ban', user, detail }, statement, [user.id])
  if (!done) throw new StartError(`${nameAndId(user)} is already banned, and has no TAPS`)
  return [
    `${nameAndId(user)} is banned: all sessions have ended, and logins are refused.`,
    done.taps === 0
      ? 'The user held no TAPS.'
      : `${done.taps} TAPS, held or in the balance, are back in the pool. An unban does not return them.`,
  ]
}

async function unban(client: ClientBase, [name]: Lines): Promise<Lines> {
  const user = await find(client, name)
  const statement =
    'update users set banned_at = null where id = $1 and banned_at is not null returning true as unbanned'
  const done = await runAudited(client, { act: 'unban', user }, statement, [user.id])
  if (!done) throw new StartError(`${nameAndId(user)} is not banned`)
  return [`${nameAndId(user)} can log in again. The TAPS that the ban took back stay in the pool.`]
}

async function remove(client: ClientBase, [name = '']: Lines): Promise<Lines> {
  // No name is as long as a player's ID.
  if (PLAYER_ID.test(name)) return removeGuest(client, name)
  const user = await find(client, name)
  const round = await renameAttempts(client, user.playerId, DELETED_NAME)
  const done = await runAudited<{ taps: number }>(
    client,
    { act: 'delete', user },
    `select taps
    from users cross join lateral delete_player(player, password_hash, $2, $3) as taps
    where id = $1 and taps is not null`,
    [user.id, round, DELETED_NAME],
  )
  if (!done) throw changed(user)
  return [
    done.taps === 0
      ? `${nameAndId(user)} is deleted, and held no TAPS.`
      : `${nameAndId(user)} is deleted: ${done.taps} TAPS, held or in the balance, are back in the pool.`,
    'The sessions have ended; the attempts stay, without the name.',
  ]
}

async function removeGuest(client: ClientBase, playerId: string): Promise<Lines> {
  // Renames nothing of an account, whose name must not change before its deletion.
  const account = await client.query('select from account_players where player = $1', [playerId])
  const round = account.rowCount ? 1 : await renameAttempts(client, playerId, DELETED_NAME)
  const done = await runAudited<{ taps: number }>(
    client,
    { act: 'delete-guest', detail: `player ${playerId}` },
    'select taps from delete_player($1, null, $2, $3) as taps where taps is not null',
    [playerId, round, DELETED_NAME],
  )
  if (!done) throw new StartError(`No guest with the ID ${playerId} has played`)
  return [
    done.taps === 0
      ? 'The guest is deleted, and held no TAPS.'
      : `The guest is deleted: ${done.taps} held TAPS are back in the pool.`,
    'The attempts stay, without the name.',
  ]
}

async function find(client: ClientBase, name = ''): Promise<UserRecord> {
  // Names contain no colon.
  const [, id] = /^id:(\d{1,15})$/.exec(name) ?? []
  const [user] = await (id === undefined
    ? findUsers(client, 'where username_key = $1', nameKey(name))
    : findUsers(client, 'where id = $1', id))
  if (user) return user
  throw new StartError(
    `No user is called ${quote(name)}; if a guest has this name, hide the name with ./taps refuse`,
  )
}

function changed(user: UserRecord): StartError {
  return new StartError(`${nameAndId(user)} has just changed: try again`)
}

function describe({ id, username, balance, createdAt, bannedAt }: UserRecord): string {
  return [
    `id:${id} ${quote(username)}`,
    `${balance} TAPS`,
    `since ${createdAt.toISOString()}`,
    ...(bannedAt ? [`banned since ${bannedAt.toISOString()}`] : []),
  ].join(', ')
}

/** Formats a name with the ID that identifies the user. */
function nameAndId({ id, username }: UserRecord): string {
  return `${quote(username)} (id:${id})`
}

/** Quotes a name. */
function quote(name: string): string {
  return JSON.stringify(name)
}

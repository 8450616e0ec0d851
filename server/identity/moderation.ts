import { randomBytes } from 'node:crypto'
import type { ClientBase } from 'pg'
import { DELETED_NAME, nameKey } from '../../contract/name.ts'
import { renameAttempts } from './account-settings.ts'
import type { Account } from './directory.ts'
import { type OperatorAct, performOperatorAct } from './operator-acts.ts'
import type { Passwords } from './passwords.ts'

/** How long a password that an operator has seen is valid: long enough for the owner to choose another. */
export const PASSWORD_DAYS = 3

/** Crockford's base32, in which no two letters look alike; five bits of a byte choose each equally often. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
/** 5 groups of 4 letters of 5 bits each: 100 bits. */
const GROUPS = 5
const GROUP_LETTERS = 4

/** An act on an account. */
function on({ id, username }: Account, act: string, detail?: string): OperatorAct {
  return { act, userId: id, name: username, detail }
}

/**
 * Gives an account a random password for PASSWORD_DAYS and ends all its sessions.
 *
 * @returns the password; null when the account is gone
 */
export async function resetPassword(
  client: ClientBase,
  passwords: Passwords,
  account: Account,
): Promise<string | null> {
  const password = randomPassword()
  const done = await performOperatorAct(
    client,
    on(account, 'reset-password'),
    'select from reset_password($1, $2, $3) as reset where reset',
    [nameKey(account.username), await passwords.hash(password), `${PASSWORD_DAYS} days`],
  )
  return done ? password : null
}

/**
 * Gives an account another name.
 *
 * @param next a name as `checkName` gives it
 * @returns false when it is taken, or the account gone
 */
export async function renameAccount(client: ClientBase, account: Account, next: string): Promise<boolean> {
  const done = await performOperatorAct(
    client,
    on(account, 'rename', `to ${next}`),
    'select from rename_account($1, $2, $3) as renamed where renamed',
    [nameKey(account.username), next, nameKey(next)],
  )
  if (!done) return false
  // Those played as a guest before the sign-up carry their own name.
  await renameAttempts(client, account.player, next)
  return true
}

/** Bans an account; returns how many sessions were open, null when it is banned already or gone. */
export async function banAccount(
  client: ClientBase,
  account: Account,
  reason?: string,
): Promise<number | null> {
  const done = await performOperatorAct<{ ended: number }>(
    client,
    on(account, 'ban', reason),
    'select ended from ban_account($1) as ended where ended is not null',
    [account.id],
  )
  return done?.ended ?? null
}

/** Lifts a ban; false when there was none. */
export async function unbanAccount(client: ClientBase, account: Account): Promise<boolean> {
  const done = await performOperatorAct(
    client,
    on(account, 'unban'),
    'update users set banned_at = null where id = $1 and banned_at is not null returning true as unbanned',
    [account.id],
  )
  return done !== undefined
}

/**
 * Deletes an account as its owner would, without the password.
 *
 * @returns how many TAPS went back to the pool; null when the account is gone, or its password was changed meanwhile
 */
export async function removeAccount(client: ClientBase, account: Account): Promise<number | null> {
  const round = await renameAttempts(client, account.player, DELETED_NAME)
  const done = await performOperatorAct<{ taps: number }>(
    client,
    on(account, 'delete'),
    `select taps
    from users cross join lateral delete_account(users.id, users.password_hash, $2, $3) as taps
    where users.id = $1 and taps is not null`,
    [account.id, round, DELETED_NAME],
  )
  return done?.taps ?? null
}

function randomPassword(): string {
  return Array.from({ length: GROUPS }, randomGroup).join('-')
}

function randomGroup(): string {
  return Array.from(randomBytes(GROUP_LETTERS), byte => ALPHABET[byte & 31]).join('')
}

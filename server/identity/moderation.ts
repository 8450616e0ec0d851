import { randomBytes } from 'node:crypto'
import type { ClientBase } from 'pg'
import { nameKey } from '../../contract/name.ts'
import type { Database } from '../database/pool.ts'
import type { Passwords } from './passwords.ts'

/** All of them are read with every change of the feed. */
export const MAX_HIDDEN_NAMES = 1_000

/** How long a password that an operator has seen is good for: long enough for the owner to choose another. */
export const PASSWORD_DAYS = 3

/** Crockford's, in which nothing looks alike; 32, so that the low bits of a byte choose each as often. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
/** 5 groups of 4 letters of 5 bits: 100 bits. */
const GROUPS = 5
const GROUP_LETTERS = 4

/**
 * Gives an account a random password for PASSWORD_DAYS and ends all its sessions.
 *
 * @returns the password; null when there is no such account
 */
export async function resetPassword(
  client: ClientBase,
  passwords: Passwords,
  username: string,
): Promise<string | null> {
  const password = randomPassword()
  const { rows } = await client.query<{ reset: boolean }>('select reset_password($1, $2, $3) as reset', [
    nameKey(username),
    await passwords.hash(password),
    `${PASSWORD_DAYS} days`,
  ])
  return rows[0]?.reset ? password : null
}

/**
 * Gives an account another name.
 *
 * @param next a name as `checkName` gives it
 * @returns false when it is taken; null when there is no such account
 */
export async function renameAccount(
  client: ClientBase,
  username: string,
  next: string,
): Promise<boolean | null> {
  const { rows } = await client.query<{ renamed: boolean | null }>(
    'select rename_account($1, $2, $3) as renamed',
    [nameKey(username), next, nameKey(next)],
  )
  return rows[0]?.renamed ?? null
}

/** The keys of the names that are hidden. */
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

/** Hides a name, however it is written; false when MAX_HIDDEN_NAMES are hidden already. */
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

function randomPassword(): string {
  return Array.from({ length: GROUPS }, randomGroup).join('-')
}

function randomGroup(): string {
  return Array.from(randomBytes(GROUP_LETTERS), byte => ALPHABET[byte & 31]).join('')
}

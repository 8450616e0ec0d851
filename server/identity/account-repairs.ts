import { randomBytes } from 'node:crypto'
import type { ClientBase } from 'pg'
import { nameKey } from '../../contract/name.ts'
import type { Passwords } from './passwords.ts'

/** A password that somebody else has seen is for long enough to make a better one. */
const PASSWORD_DAYS = 3

/** Crockford's, in which nothing looks alike; 32, so that the low bits of a byte choose each as often. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
/** 5 groups of 4 letters of 5 bits: 100 bits. */
const GROUPS = 5
const GROUP_LETTERS = 4

/** A password for an account that has lost its own. */
export interface NewPassword {
  readonly password: string
  readonly days: number
}

/** Gives an account a random password for a few days and ends all its sessions; null when nobody has this name. */
export async function resetPassword(
  client: ClientBase,
  passwords: Passwords,
  username: string,
): Promise<NewPassword | null> {
  const password = randomPassword()
  const { rows } = await client.query<{ reset: boolean }>('select reset_password($1, $2, $3) as reset', [
    nameKey(username),
    await passwords.hash(password),
    `${PASSWORD_DAYS} days`,
  ])
  return rows[0]?.reset ? { password, days: PASSWORD_DAYS } : null
}

/** What became of a renaming. */
export type Renaming = 'renamed' | 'unknown' | 'taken'

/** @param next a name that may be one: checked, trimmed, in NFC */
export async function renameAccount(client: ClientBase, username: string, next: string): Promise<Renaming> {
  const { rows } = await client.query<{ renamed: boolean | null }>(
    'select rename_account($1, $2, $3) as renamed',
    [nameKey(username), next, nameKey(next)],
  )
  const renamed = rows[0]?.renamed ?? null
  if (renamed === null) return 'unknown'
  return renamed ? 'renamed' : 'taken'
}

function randomPassword(): string {
  const letters = Array.from(randomBytes(GROUPS * GROUP_LETTERS), byte => ALPHABET[byte & 31] ?? '')
  const groups = Array.from({ length: GROUPS }, (_, group) =>
    letters.slice(group * GROUP_LETTERS, (group + 1) * GROUP_LETTERS).join(''),
  )
  return groups.join('-')
}

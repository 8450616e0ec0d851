import type { ClientBase } from 'pg'
import type { User } from '../../contract/api.ts'
import { DELETED_NAME } from '../../contract/name.ts'
import type { Database } from '../database/connection.ts'
import { Problem } from '../problem.ts'
import { checkPassword } from './password-rule.ts'
import type { PasswordHasher } from './passwords.ts'
import type { PlayerId, SignedInCaller } from './player.ts'
import { hashSessionToken, newSessionToken, SESSION_IDLE } from './sessions.ts'

/** Attempts per batch; a full batch takes about 15 ms. */
const NAMES_PER_BATCH = 1_000

interface Deps {
  readonly database: Database
  readonly passwords: PasswordHasher
}

/**
 * Changes a password and ends all sessions of the user.
 *
 * @returns the token of a new session
 * @throws {Problem} weak_password, invalid_password, login_required, password_changed, unavailable
 */
export async function changePassword(
  { database, passwords }: Deps,
  address: string,
  user: User,
  password: string,
  newPassword: string,
): Promise<string> {
  checkPassword(newPassword, user.username)
  const oldHash = await hashOf(database, user)
  if (!(await passwords.matches(address, password, oldHash))) throw new Problem('invalid_password')

  const newHash = await passwords.hash(address, newPassword)
  const token = newSessionToken()
  const { rows } = await database.query<{ changed: boolean }>(
    'select change_password($1, $2, $3, $4, $5) as changed',
    [user.id, oldHash, newHash, hashSessionToken(token), SESSION_IDLE],
  )
  // Another device changed the password during hashing, or an operator banned the user.
  if (!rows[0]?.changed) throw new Problem('password_changed')
  return token
}

/**
 * Deletes a user, and is safe to repeat. The TAPS return to the pool; the attempts stay, without the name.
 *
 * @throws {Problem} invalid_password, login_required, unavailable
 */
export async function deleteAccount(
  { database, passwords }: Deps,
  address: string,
  { user, playerId }: SignedInCaller,
  password: string,
): Promise<void> {
  const hash = await hashOf(database, user)
  if (!(await passwords.matches(address, password, hash))) throw new Problem('invalid_password')
  const round = await renameAttempts(database, playerId, DELETED_NAME)
  const { rowCount } = await database.query(
    'select from delete_player($1, $2, $3, $4) as taps where taps is not null',
    [playerId, hash, round, DELETED_NAME],
  )
  if (rowCount === 1) return
  // Another device deleted the user or changed the password.
  await hashOf(database, user)
  throw new Problem('invalid_password')
}

/**
 * Renames all attempts of a player in batches, so that the transaction that deletes the user stays short.
 * Skips attempts that are already anonymous.
 *
 * @returns the first round that may still have the old name
 */
export async function renameAttempts(
  database: Database | ClientBase,
  playerId: PlayerId,
  name: string,
): Promise<number> {
  const { rows } = await database.query<{ round: number }>(
    'select round from attempts where player = $1 order by round desc limit 1',
    [playerId],
  )
  const next = (rows[0]?.round ?? 0) + 1
  for (let round = 1; round < next; round += NAMES_PER_BATCH) {
    await database.query(
      `update attempts set username = $4
      where player = $1 and round >= $2 and round < $3 and username not in ($4, $5)`,
      [playerId, round, Math.min(round + NAMES_PER_BATCH, next), name, DELETED_NAME],
    )
  }
  return next
}

async function hashOf(database: Database, { id }: User): Promise<string> {
  const { rows } = await database.query<{ password_hash: string }>(
    'select password_hash from users where id = $1',
    [id],
  )
  const [account] = rows
  if (!account) throw new Problem('login_required')
  return account.password_hash
}

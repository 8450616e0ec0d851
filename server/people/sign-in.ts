import { nameKey } from '../../contract/name-key.ts'
import type { Database } from '../database/connection.ts'
import type { Limiter } from '../limits/limiter.ts'
import { Problem } from '../problem.ts'
import type { Names } from './names.ts'
import { checkPassword } from './password-rule.ts'
import type { PasswordHasher } from './passwords.ts'
import { newPlayerId, type PlayerId } from './player.ts'
import { hashSessionToken, MAX_SESSIONS, newSessionToken, SESSION_IDLE } from './sessions.ts'

/** The problem's title when an operator's temporary password has expired. */
const PASSWORD_EXPIRED = 'This password has expired; ask the operator of this game for a new one'

interface Deps {
  readonly database: Database
  readonly limits: Pick<Limiter, 'take'>
  readonly names: Pick<Names, 'isRefused'>
  readonly passwords: PasswordHasher
}

export interface SignInRequest {
  readonly username: string
  readonly password: string
  /**
   * The guest in the cookie. An existing account receives the guest's prize; a new account takes over the
   * player.
   */
  readonly guestId: PlayerId | null
  /** The browser's previous session, which ends at sign-in. */
  readonly sessionToken: string | null
}

interface UserRow {
  readonly id: number
  readonly password_hash: string
  readonly expired: boolean
  readonly banned: boolean
}

/**
 * Checks the password and opens a session.
 *
 * @returns the session's token
 * @throws {Problem} unknown_username, invalid_password, account_banned, unavailable
 */
export async function signIn(deps: Deps, address: string, request: SignInRequest): Promise<string> {
  const account = await findByName(deps, request.username)
  if (!account) throw new Problem('unknown_username')
  return enter(deps, address, account, request, 'invalid_password')
}

/**
 * Creates an account and its first session. Signs in instead when the name exists and the password is right,
 * because an earlier answer may have been lost.
 *
 * @throws {Problem} bad_username, weak_password, username_taken, account_banned, too_many_requests, unavailable
 */
export async function createAccount(
  deps: Deps,
  address: string,
  request: SignInRequest,
): Promise<{ sessionToken: string; created: boolean }> {
  const signInto = async (account: UserRow) => {
    // Otherwise sign-ups would allow more guesses than logins do.
    deps.limits.take('logins', address)
    const sessionToken = await enter(deps, address, account, request, 'username_taken')
    return { sessionToken, created: false }
  }
  const existing = await findByName(deps, request.username)
  if (existing) return signInto(existing)

  if (deps.names.isRefused(request.username)) throw new Problem('bad_username')
  checkPassword(request.password, request.username)
  const passwordHash = await deps.passwords.hash(address, request.password)
  const sessionToken = newSessionToken()
  const created = await insert(deps, request.username, passwordHash, sessionToken, request)
  if (created) return { sessionToken, created }

  // Another request created the account while this request hashed.
  const winner = await findByName(deps, request.username)
  if (!winner) throw new Problem('unavailable', { retryAfter: 1 })
  return signInto(winner)
}

async function findByName({ database }: Deps, username: string): Promise<UserRow | undefined> {
  const { rows } = await database.query<UserRow>(
    `select
      id, password_hash, coalesce(password_expires_at <= now(), false) as expired, banned_at is not null as banned
    from users where username_key = $1`,
    [nameKey(username)],
  )
  return rows[0]
}

/** @param code - The code of the problem for a wrong password. */
async function enter(
  { database, passwords }: Deps,
  address: string,
  account: UserRow,
  { password, guestId, sessionToken: oldToken }: SignInRequest,
  code: 'invalid_password' | 'username_taken',
): Promise<string> {
  if (!(await passwords.matches(address, password, account.password_hash))) {
    throw new Problem(code, { account: account.id })
  }
  // Only a caller who knows the password learns of a ban.
  if (account.banned) throw new Problem('account_banned', { account: account.id })
  if (account.expired) throw new Problem(code, { title: PASSWORD_EXPIRED, account: account.id })
  const sessionToken = newSessionToken()
  const { rows } = await database.query<{ opened: boolean }>(
    'select open_session($1, $2, $3, $4, $5, $6, $7) as opened',
    [
      account.id,
      account.password_hash,
      hashSessionToken(sessionToken),
      oldToken && hashSessionToken(oldToken),
      guestId,
      SESSION_IDLE,
      MAX_SESSIONS,
    ],
  )
  // The password or the account changed during the comparison.
  if (!rows[0]?.opened) throw new Problem(code, { account: account.id })
  return sessionToken
}

/** Returns false when another request took the name during hashing. */
async function insert(
  { database }: Deps,
  name: string,
  passwordHash: string,
  sessionToken: string,
  { guestId, sessionToken: oldToken }: SignInRequest,
): Promise<boolean> {
  const { rows } = await database.query<{ id: number | null }>(
    'select create_account($1, $2, $3, $4, $5, $6, $7, $8, $9) as id',
    [
      name,
      nameKey(name),
      passwordHash,
      guestId,
      newPlayerId(),
      hashSessionToken(sessionToken),
      oldToken && hashSessionToken(oldToken),
      SESSION_IDLE,
      MAX_SESSIONS,
    ],
  )
  return rows[0]?.id != null
}

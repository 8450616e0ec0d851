import { createHash, randomBytes } from 'node:crypto'
import type { Database } from '../database/connection.ts'

/** The lifetime of an unused session: long, because a session gives access only to a game. */
const IDLE_DAYS = 30
/** The longest lifetime of a session in use. */
const LONGEST_DAYS = 180
const RENEWED_AFTER_DAYS = 1

/** The lifetime of the cookie; the server checks the session itself. */
export const SESSION_SECONDS = LONGEST_DAYS * 86_400

export const SESSION_IDLE = `${IDLE_DAYS} days`
export const SESSION_LONGEST = `${LONGEST_DAYS} days`
export const SESSION_RENEWED_AFTER = `${RENEWED_AFTER_DAYS} days`

/** Sessions per user; a further login ends the oldest session. */
export const MAX_SESSIONS = 20

export function newSessionToken(): string {
  return randomBytes(32).toString('base64url')
}

export function hashSessionToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** Creates a function that ends a session and returns whether the session was open. */
export function createEndSession(database: Database): (sessionToken: string) => Promise<boolean> {
  return async sessionToken => {
    const { rowCount } = await database.query({
      name: 'end_session',
      text: 'delete from sessions where token_hash = $1 and expires_at > now()',
      values: [hashSessionToken(sessionToken)],
    })
    return rowCount === 1
  }
}

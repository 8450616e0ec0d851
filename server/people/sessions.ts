import { createHash, randomBytes } from 'node:crypto'
import type { Database } from '../database/connection.ts'

/** The lifetime of an unused session: long, because a session gives access only to a game. */
const IDLE_DAYS = 30
/** The longest lifetime of a session in use. */
const LONGEST_DAYS = 180

/** The lifetime of the cookie; the server checks the session itself. */
export const SESSION_SECONDS = LONGEST_DAYS * 86_400

export const SESSION_IDLE = `${IDLE_DAYS} days`

/** A session's renewed expiry. */
const RENEWED = `least(now() + interval '${SESSION_IDLE}', sessions.created_at + interval '${LONGEST_DAYS} days')`
/** Whether a session was last renewed more than a day ago. */
export const RENEWAL_IS_DUE = `sessions.expires_at < ${RENEWED} - interval '1 day'`

/** Sessions per user; a further login ends the oldest session. */
export const MAX_SESSIONS = 20

export function newSessionToken(): string {
  return randomBytes(32).toString('base64url')
}

export function hashSessionToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** @returns the ID of the user whose session has ended; undefined when there was no such session */
export async function endSession(database: Database, sessionToken: string): Promise<number | undefined> {
  const { rows } = await database.query<{ user_id: number }>({
    name: 'end_session',
    text: 'delete from sessions where token_hash = $1 returning user_id',
    values: [hashSessionToken(sessionToken)],
  })
  return rows[0]?.user_id
}

export async function renewSession(database: Database, sessionToken: string): Promise<void> {
  await database.query({
    name: 'renew_session',
    text: `update sessions set expires_at = ${RENEWED} where token_hash = $1 and ${RENEWAL_IS_DUE}`,
    values: [hashSessionToken(sessionToken)],
  })
}

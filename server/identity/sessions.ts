import { createHash, randomBytes } from 'node:crypto'

/** A session ends after this time without use: playing once a month is enough to stay signed in. */
const IDLE_DAYS = 30
/** A session ends this long after it began, however often it is used: a stolen one is over then, if not before. */
const LONGEST_DAYS = 180
/** Using a session costs no write: its idle time is counted anew when this much of it has passed. */
const RENEWED_AFTER_DAYS = 1

/** How long a browser keeps the cookie; the server knows better when the session is over. */
export const SESSION_SECONDS = LONGEST_DAYS * 86_400

/** The same three for the database. */
export const SESSION_IDLE = `${IDLE_DAYS} days`
export const SESSION_LONGEST = `${LONGEST_DAYS} days`
export const SESSION_RENEWED_AFTER = `${RENEWED_AFTER_DAYS} days`

/** The oldest sessions of an account end when it has more devices than this. */
export const MAX_SESSIONS = 20

/** A session's secret: 256 random bits. */
export function newSessionToken(): string {
  return randomBytes(32).toString('base64url')
}

/** The only form in which a session's token is kept. */
export function hashSessionToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

import { createHash, randomBytes } from 'node:crypto'

/** A session ends after this long without use: playing once a month is enough to stay signed in. */
const IDLE_DAYS = 30
/** A session ends this long after it began, however often it is used: a stolen one ends then at the latest. */
const LONGEST_DAYS = 180
/** Use renews a session only after this long, so that most requests write nothing. */
const RENEWED_AFTER_DAYS = 1

/** How long a browser keeps the cookie; whether the session is open is for the server to say. */
export const SESSION_SECONDS = LONGEST_DAYS * 86_400

/** The three above as PostgreSQL intervals. */
export const SESSION_IDLE = `${IDLE_DAYS} days`
export const SESSION_LONGEST = `${LONGEST_DAYS} days`
export const SESSION_RENEWED_AFTER = `${RENEWED_AFTER_DAYS} days`

/** Beyond this many sessions of an account the oldest end. */
export const MAX_SESSIONS = 20

/** A session's secret: 256 random bits. */
export function newSessionToken(): string {
  return randomBytes(32).toString('base64url')
}

/** The only form in which a session's token is kept. */
export function hashSessionToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

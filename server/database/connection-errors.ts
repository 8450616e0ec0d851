import { errorCode, StartError } from '../lib/errors.ts'

const TRANSIENT_CLASSES = ['08', '53', '57', '58']
const TRANSIENT_STATES = new Set(['25006', '40001', '40P01', '55P03', 'XX001', 'XX002'])

const TRANSIENT_SYSTEM_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
])

/** The messages of `pg` for lost connections and timeouts; these errors have no code. */
const TRANSIENT_MESSAGE =
  /Connection terminated|timeout exceeded|timeout expired|Query read timeout|Client has encountered a connection error|not queryable/

/** Returns whether the same query may succeed a moment later. */
export function isTransientError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (TRANSIENT_SYSTEM_CODES.has(code) || TRANSIENT_STATES.has(code)) return true
  if (code.length === 5 && TRANSIENT_CLASSES.includes(code.slice(0, 2))) return true
  return TRANSIENT_MESSAGE.test(error.message)
}

/** Node's codes for a certificate whose authority it does not know. */
const UNKNOWN_AUTHORITY = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

/** Formats an error with PostgreSQL's message and the setting to check. */
export function connectionError(error: unknown, setting = 'DATABASE_URL'): StartError {
  if (error instanceof StartError) return error
  const root = rootOf(error)
  const advice = UNKNOWN_AUTHORITY.has(errorCode(root))
    ? `add sslrootcert=<file with the provider's certificate> to ${setting}`
    : `check ${setting}`
  return new StartError(`The database cannot be used (${messageOf(root)}); ${advice}`, { cause: error })
}

/** Returns the innermost cause, such as the database's own error. */
export function rootOf(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? rootOf(error.cause) : error
}

/**
 * Returns the first line of the message, or else the code. Connection errors of a host with several addresses
 * have no message.
 */
export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message || errorCode(error) : String(error)
  return message.split('\n')[0] ?? message
}

import { errorCode } from '../lib/files.ts'
import { StartError } from '../lib/start-error.ts'
import { ReadOnly } from './fitness.ts'
import { isAway } from './pool.ts'

/** Permanent errors that PgBouncer reports with the code of a lost connection. */
const POOLER_REFUSALS =
  /no such (database|user)|does not exist|authentication failed|unsupported startup parameter|not allowed|config error/

/** What to do, where the error does not say it. */
const ADVICE: readonly [RegExp, string][] = [
  [/does not support SSL/, 'switch TLS on there, or set sslmode=disable in DATABASE_URL'],
  [
    /CERT|SIGNATURE|ISSUER|self-signed/,
    'name the certificate of its authority with sslrootcert=<file> in DATABASE_URL',
  ],
]

/** Why the database is away for now, in a few words; null for errors that waiting cannot mend. */
export function awayReason(error: unknown): string | null {
  const cause = rootOf(error)
  const words = messageOf(cause)
  const away = cause instanceof ReadOnly || (isAway(cause) && !POOLER_REFUSALS.test(words))
  return away ? words : null
}

/** A permanent error of connecting, in one line with what to do. */
export function refusal(error: unknown): StartError {
  if (error instanceof StartError) return error
  const words = messageOf(error)
  const advice = ADVICE.find(([sign]) => sign.test(errorCode(error)) || sign.test(words))?.[1]
  const end = advice ? `: ${advice}` : '; check DATABASE_URL'
  return new StartError(`The database refused us (${words})${end}`, { cause: error })
}

/** The innermost cause: the error of a failed SQL file wraps the database's own. */
export function rootOf(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? rootOf(error.cause) : error
}

/** An error in one line; that of a host with several addresses has no message, only a code. */
export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message || errorCode(error) : String(error)
  return message.split('\n')[0] ?? message
}

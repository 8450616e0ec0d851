import { errorCode } from '../lib/files.ts'
import { StartError } from '../lib/start-error.ts'
import { ReadOnly } from './fitness.ts'
import { isAway } from './pool.ts'

/** What PgBouncer says under the code of a lost connection, and what no waiting mends. */
const POOLER_REFUSALS =
  /no such (database|user)|does not exist|authentication failed|unsupported startup parameter|not allowed|config error/

/** What to do where neither PostgreSQL nor TLS says it. */
const ADVICE: readonly [RegExp, string][] = [
  [/does not support SSL/, 'switch TLS on there, or set sslmode=disable in DATABASE_URL'],
  [
    /CERT|SIGNATURE|ISSUER|self-signed/,
    'name the certificate of its authority with sslrootcert=<file> in DATABASE_URL',
  ],
]

/**
 * Why a database is away for now, in a few words; null for what no waiting mends.
 *
 * @param error of the database, or around it
 */
export function awayReason(error: unknown): string | null {
  const cause = rootOf(error)
  const words = messageOf(cause)
  const away = cause instanceof ReadOnly || (isAway(cause) && !POOLER_REFUSALS.test(words))
  return away ? words : null
}

/** What keeps a node from connecting and does not go away, in one line with what to do. */
export function refusal(error: unknown): StartError {
  if (error instanceof StartError) return error
  const words = messageOf(error)
  const advice = ADVICE.find(([sign]) => sign.test(errorCode(error)) || sign.test(words))?.[1]
  const end = advice ? `: ${advice}` : '; check DATABASE_URL'
  return new StartError(`The database refused us (${words})${end}`, { cause: error })
}

/** A file of SQL that failed is named by an error around the database's own. */
export function rootOf(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? rootOf(error.cause) : error
}

/** In one line; a host with several addresses fails with all their errors and no message. */
export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message || errorCode(error) : String(error)
  return message.split('\n')[0] ?? message
}

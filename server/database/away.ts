import type { Logger } from '../log.ts'
import { awayReason } from './refusal.ts'

/** Between two attempts to reach a database that is away. */
const RETRY_MS = 1_000
/** A message that is never logged: Fastify insists on one for each address, and the start already logs one. */
export const SILENT = ''
/** The line that ends an outage. */
export const IS_BACK = 'the database is back'
/** How often the log repeats that it is away. */
const REPEAT_MS = 60_000

type LogMethod = (this: Logger, args: [unknown, ...unknown[]], method: (...args: unknown[]) => void) => void

/**
 * Returns a hook for the log that reduces all errors of an absent database or a full disk to one line at once and then one
 * a minute, with the reason and without a stack, until it is back.
 */
export function logOutageOnce(): LogMethod {
  let loggedAt = Number.NEGATIVE_INFINITY
  return function logMethod(args, method) {
    const about = args[0]
    if (about === SILENT) return
    const error = typeof about === 'object' && about !== null && 'err' in about ? about.err : null
    if (about === IS_BACK) loggedAt = Number.NEGATIVE_INFINITY
    const reason = error instanceof Error ? awayReason(error) : null
    if (reason === null) return method.apply(this, args)
    if (performance.now() - loggedAt < REPEAT_MS) return
    loggedAt = performance.now()
    method.call(this, { reason }, 'the database is away, or has no room')
  }
}

/**
 * Repeats an attempt until the database is there, and logs at once and then each minute that it is not.
 *
 * @param meanwhile runs after each failed attempt
 * @throws errors that waiting cannot mend; whatever `meanwhile` throws
 */
export async function waitForDatabase(
  attempt: () => Promise<void>,
  meanwhile: () => Promise<unknown>,
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  let loggedAt = Number.NEGATIVE_INFINITY
  for (;;) {
    const reason = await attempt().then(() => null, reasonToWait)
    if (reason === null) return
    await meanwhile()
    if (performance.now() - loggedAt >= REPEAT_MS) {
      loggedAt = performance.now()
      log.warn({ reason }, 'the database is away: waiting for it')
    }
    await new Promise(resolve => setTimeout(resolve, RETRY_MS))
  }
}

function reasonToWait(error: unknown): string {
  const reason = awayReason(error)
  if (reason === null) throw error
  return reason
}

import type { Logger } from '../log.ts'
import { isTransientError, messageOf, rootOf } from './connection-errors.ts'

/**
 * A message that is never logged. Fastify requires a message for each listening address, but `main.ts`
 * already logs the address.
 */
export const SILENT = ''
export const IS_BACK = 'the database is back'
const REPEAT_MS = 60_000

type LogMethod = (this: Logger, args: [unknown, ...unknown[]], method: (...args: unknown[]) => void) => void

/** Returns a hook that reduces the errors of an outage to one line a minute, without a stack. */
export function logOutageOnce(): LogMethod {
  let loggedAt = Number.NEGATIVE_INFINITY
  return function logMethod(args, method) {
    const [first] = args
    if (first === SILENT) return
    if (first === IS_BACK) loggedAt = Number.NEGATIVE_INFINITY
    const error = typeof first === 'object' && first !== null && 'err' in first ? rootOf(first.err) : null
    if (!isTransientError(error)) return method.apply(this, args)
    if (performance.now() - loggedAt < REPEAT_MS) return
    loggedAt = performance.now()
    method.call(this, { reason: messageOf(error) }, 'the database is unavailable or out of resources')
  }
}

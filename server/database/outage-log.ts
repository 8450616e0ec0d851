import type { Logger } from '../log.ts'
import { isTransientError, messageOf, rootOf } from './connection-errors.ts'

/**
 * A message that is never logged. Fastify requires a message for each listening address, but `main.ts`
 * already logs the address.
 */
export const SILENT = ''
const REPEAT_MS = 60_000

type LogMethod = (this: Logger, args: [unknown, ...unknown[]], method: (...args: unknown[]) => void) => void

export interface OutageLog {
  /** A hook that reduces the errors of an outage to one line a minute, without a stack. */
  readonly logMethod: LogMethod
  /** Ends the outage, so that the next one is logged immediately. */
  end(): void
}

export function createOutageLog(): OutageLog {
  let loggedAt = Number.NEGATIVE_INFINITY
  const end = () => {
    loggedAt = Number.NEGATIVE_INFINITY
  }
  const logMethod: LogMethod = function (args, method) {
    const [first] = args
    if (first === SILENT) return
    const error = typeof first === 'object' && first !== null && 'err' in first ? rootOf(first.err) : null
    if (!isTransientError(error)) return method.apply(this, args)
    if (performance.now() - loggedAt < REPEAT_MS) return
    loggedAt = performance.now()
    method.call(this, { reason: messageOf(error) }, 'the database is unavailable or out of resources')
  }
  return { logMethod, end }
}

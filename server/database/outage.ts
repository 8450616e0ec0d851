import { errorCode } from '../lib/errors.ts'
import type { Logger } from '../log.ts'
import { isTransientError, messageOf, rootOf } from './connection-errors.ts'

/** An error that is known to mean an outage, whatever its code. */
export class OutageError extends Error {
  constructor(cause: unknown) {
    super(messageOf(cause), { cause })
    this.name = 'OutageError'
  }
}

/**
 * The SQLSTATEs of a missing privilege, table, function and schema, which an operator can put right, and of a plan
 * that no longer fits the tables.
 */
const OUTAGE_STATES = new Set(['42501', '42P01', '42883', '3F000', '0A000'])

const REPEAT_MS = 60_000
/** The delay of a line: first connections are lost, and then new connections fail for the reason. */
const GATHER_MS = 1_000

const LOST_CODES = new Set(['57P01', '57P02', 'ECONNRESET', 'EPIPE'])

/** Returns whether an error of an outage says only that a connection was lost, or had to wait. */
function isVague(root: unknown): boolean {
  if (LOST_CODES.has(errorCode(root))) return true
  return root instanceof Error && !('code' in root) && isTransientError(root)
}

type LogMethod = (this: Logger, args: [unknown, ...unknown[]], method: (...args: unknown[]) => void) => void

interface Line {
  reason: string
  readonly timer: NodeJS.Timeout
  write(reason: string): void
}

/** Tells the errors of an outage from server errors, and logs them as one line a minute. */
export class Outage {
  #line: Line | null = null
  #loggedAt = Number.NEGATIVE_INFINITY

  /** Returns whether an error belongs to an outage. */
  includes(error: unknown): boolean {
    const root = rootOf(error)
    return error instanceof OutageError || isTransientError(root) || OUTAGE_STATES.has(errorCode(root))
  }

  /** A hook of the log that reduces the errors of an outage to one line a minute, without a stack. */
  get logMethod(): LogMethod {
    const outage = this
    return function (args, method) {
      const [first] = args
      const error = typeof first === 'object' && first !== null && 'err' in first ? first.err : null
      if (!outage.includes(error)) return method.apply(this, args)
      outage.#add(error, reason => method.call(this, { reason }, 'the database is unavailable'))
    }
  }

  /** Ends the outage, so that the next one is logged. */
  end(): void {
    this.#write()
    this.#loggedAt = Number.NEGATIVE_INFINITY
  }

  #add(error: unknown, write: Line['write']): void {
    const root = rootOf(error)
    const reason = messageOf(root)
    if (this.#line) {
      if (!isVague(root)) this.#line.reason = reason
      return
    }
    if (performance.now() - this.#loggedAt < REPEAT_MS) return
    this.#line = { reason, write, timer: setTimeout(() => this.#write(), GATHER_MS).unref() }
  }

  #write(): void {
    const line = this.#line
    if (!line) return
    clearTimeout(line.timer)
    this.#line = null
    this.#loggedAt = performance.now()
    line.write(line.reason)
  }
}

import type { Round } from '../contract/api.ts'
import { PROBLEMS, type ProblemCode } from '../contract/problems.ts'

interface Details {
  readonly title?: string
  readonly round?: Round
  /** The Retry-After header in whole seconds, ≥ 1. */
  readonly retryAfter?: number
  readonly account?: number
  readonly cause?: unknown
  /** Whether the problem stays out of the log: a flood would fill it, or another line says the same. */
  readonly isUnlogged?: true
}

/** An expected error, sent to the client as problem+json. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly status: number
  readonly details: Details

  constructor(code: ProblemCode, details: Details = {}) {
    super(details.title ?? PROBLEMS[code].title, { cause: details.cause })
    this.name = 'Problem'
    this.code = code
    this.status = PROBLEMS[code].status
    this.details = details
  }
}

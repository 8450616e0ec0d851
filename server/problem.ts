import type { Round } from '../contract/api.ts'
import { PROBLEMS, type ProblemCode } from '../contract/problems.ts'

/** What a problem may carry besides its code. */
interface Details {
  /** Replaces the code's own sentence. */
  readonly title?: string
  /** The round to go on with, for the codes that end one. */
  readonly round?: Round
  /** Whole seconds, ≥ 1. */
  readonly retryAfter?: number
  /** A queue is full: the metrics count it, and the log would fill. */
  readonly isFull?: true
  /** The account concerned, for the log. */
  readonly account?: number
  /** The cause, for the log. */
  readonly cause?: unknown
  /** One line in the log speaks for all requests that meet it. */
  readonly alreadyLogged?: true
}

/** An expected error of a request, which the error handler answers as problem+json. */
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

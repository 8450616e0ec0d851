import type { Round } from '../contract/api.ts'
import type { LimitLabel } from '../contract/limits.ts'
import { PROBLEMS, type ProblemCode } from '../contract/problems.ts'

/** What a refusal may carry besides its code. */
interface Details {
  /** Replaces the code's own sentence where there is more to say. */
  readonly title?: string
  /** The round to go on with, for the codes that end one. */
  readonly round?: Round
  /** Whole seconds, ≥ 1. */
  readonly retryAfter?: number
  /** Which limit or queue had no room, for the figures. */
  readonly limit?: LimitLabel
  /** The account that it is about, for the log. */
  readonly account?: number
  /** What led to it, for the log. */
  readonly cause?: unknown
  /** The log says it for all requests at once. */
  readonly told?: true
}

/** An expected refusal; the error handler turns it into problem+json. The one error class of the server. */
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

import { PROBLEMS, type ProblemCode } from '../../contract/problems.ts'
import type { Failure } from '../api.ts'

/** What the page makes of a refusal of the server's. */
export function failure(code: ProblemCode): Failure {
  return { ok: false, code, title: PROBLEMS[code].title, round: null, retryAfterMs: 0 }
}

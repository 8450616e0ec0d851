import { PROBLEMS, type ProblemCode } from '../../contract/problems.ts'
import type { Problem } from '../api.ts'

/** Returns the page's problem for a refusal by the server. */
export function problem(code: ProblemCode): Problem {
  return { ok: false, code, title: PROBLEMS[code].title, round: null, retryAfterMs: 0 }
}

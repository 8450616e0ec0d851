import { PROBLEMS, type ProblemCode } from '../../contract/problems.ts'
import type { Problem } from '../api.ts'

/** The page's problem for a refusal of the server. */
export function problem(code: ProblemCode): Problem {
  return { ok: false, code, title: PROBLEMS[code].title, round: null, retryAfterMs: 0 }
}

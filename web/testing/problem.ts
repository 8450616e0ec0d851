import { PROBLEMS, type ProblemCode } from '../../contract/problems.ts'
import type { Problem } from '../api.ts'

/** What the page makes of a refusal of the server's. */
export function problem(code: ProblemCode): Problem {
  return { ok: false, code, title: PROBLEMS[code].title, round: null, retryAfterMs: 0 }
}

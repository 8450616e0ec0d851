import { PROBLEMS, type ProblemCode } from '../../contract/problems.ts'
import type { Problem } from '../net/api.ts'

/** Returns the page's `Problem` for a server's refusal. */
export function problem(code: ProblemCode): Problem {
  return { ok: false, code, title: PROBLEMS[code].title, round: null, retryAfterMs: 0 }
}

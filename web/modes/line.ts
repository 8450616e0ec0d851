import { createStore } from '../lib/store.ts'
import type { Answer, Problem } from '../net/api.ts'
import { isLost, persist, RETRY_LOST_ANSWERS } from '../net/retry.ts'

/** The longest wait for a place in the server's queue of password hashes. */
export const IN_LINE_MS = 300_000

/**
 * Repeats a login or sign-up that the server refuses because too many people wait, such as a class behind one
 * address.
 */
export function createLine() {
  /** Why the server lets a login or sign-up wait, in its own words; null while none waits. */
  const reason = createStore<string | null>(null)

  /** @param signal - Ends the wait, but not a request in flight. */
  async function wait<Body>(send: () => Promise<Answer<Body>>, signal: AbortSignal): Promise<Answer<Body>> {
    const endsAt = performance.now() + IN_LINE_MS
    let lost = 0
    const shouldRetry = (problem: Problem) => {
      const isQueued = problem.code === 'unavailable'
      if (isQueued) reason.set(problem.title)
      // Repeated sign-ups of a whole class may use up the limit of their address.
      if (isQueued || (reason.get() !== null && problem.code === 'too_many_requests')) {
        return performance.now() < endsAt
      }
      lost += 1
      return isLost(problem) && lost < RETRY_LOST_ANSWERS.tries
    }
    try {
      return await persist(send, { tries: Number.POSITIVE_INFINITY, shouldRetry, signal })
    } finally {
      reason.set(null)
    }
  }

  return { reason, wait }
}

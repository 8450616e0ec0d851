import { ROUND_LIFETIME_MS } from '../../contract/rules.ts'
import type { Answer, Problem } from '../net/api.ts'
import { isTransient } from '../net/retry.ts'

/** The strangers' answers after which the page looks for the attempt: a single one is common at a restart. */
const STRANGERS_PER_LOOK = 3

/** Finds out how an attempt ended; null while nothing proves its end. */
export type Look<Body> = () => Promise<Answer<Body> | null>

/**
 * Options of `persist` for a round: unlimited tries, because the server refuses attempts ten minutes after their
 * Start. Ends after ten minutes in which only strangers answered.
 */
export function roundPersistence() {
  let strangersSince: number | null = null
  const shouldRetry = (problem: Problem) => {
    if (problem.code !== 'stranger') strangersSince = null
    else strangersSince ??= performance.now()
    const isOver = strangersSince !== null && performance.now() - strangersSince >= ROUND_LIFETIME_MS
    return isTransient(problem) && !isOver
  }
  return { tries: Number.POSITIVE_INFINITY, shouldRetry }
}

/** Returns `send` with a look after every third stranger's answer, because a proxy may replace every refusal. */
export function withLooks<Body>(
  send: () => Promise<Answer<Body>>,
  look: Look<Body>,
): () => Promise<Answer<Body>> {
  let strangers = 0
  return async () => {
    const answer = await send()
    if (answer.ok || answer.code !== 'stranger') return answer
    strangers += 1
    if (strangers % STRANGERS_PER_LOOK !== 0) return answer
    return (await look()) ?? answer
  }
}

import { ROUND_LIFETIME_MS } from '../../contract/rules.ts'
import { MESSAGES } from '../messages.ts'
import { type Answer, type Problem, pageProblem } from '../net/api.ts'
import { isTransient } from '../net/retry.ts'

/** The strangers' answers after which the page asks whether the round has ended: a single one is common at a restart. */
const STRANGERS_PER_QUESTION = 3

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

/**
 * Returns `send`, which asks after every third stranger's answer whether the round has ended, because a proxy may
 * replace every answer.
 */
export function untilEnded<Body>(
  send: () => Promise<Answer<Body>>,
  hasEnded: () => Promise<boolean>,
): () => Promise<Answer<Body>> {
  let strangers = 0
  return async () => {
    const answer = await send()
    if (answer.ok || answer.code !== 'stranger') return answer
    strangers += 1
    const isDue = strangers % STRANGERS_PER_QUESTION === 0
    return isDue && (await hasEnded()) ? pageProblem('round_already_played', MESSAGES.ended) : answer
  }
}

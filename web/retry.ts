import type { Answer, Problem } from './api.ts'

const FIRST_DELAY_MS = 500
/** The longest delay, so the longest wait once the server is back; 1,000 pages then return at 300 a second. */
const MAX_DELAY_MS = 5_000
/** The page asks again after this time even if the server asked for a longer wait. */
const MAX_RETRY_AFTER_MS = 60_000

/** Doubling delays, half of each random, so that many pages do not return in step. */
export function backoffMs(failures: number, random: () => number = Math.random): number {
  const delay = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.max(0, failures - 1))
  return delay * (0.5 + random() / 2)
}

const TRANSIENT: readonly Problem['code'][] = [
  'network',
  'too_slow',
  'too_many_requests',
  'unavailable',
  'internal',
]

/** The server has not decided: the same request may succeed later. */
export function isTransient({ code }: Problem): boolean {
  return TRANSIENT.includes(code)
}

/** The answer was lost or the database is away. A limit, in contrast, is for the player to read. */
export function isLost({ code }: Problem): boolean {
  return code === 'network' || code === 'unavailable'
}

/** A player's own action is sent three times before the page reports a failure. */
export const LOST_ANSWERS = { tries: 3, again: isLost }

export interface Persistence {
  /** How often to send at most. */
  readonly tries: number
  readonly again: (problem: Problem) => boolean
  /** Called after each failure that is followed by another try. */
  readonly onRetry?: (failures: number) => void
  readonly signal?: AbortSignal | undefined
}

/** Sends until an answer is final. */
export async function persist<Body>(
  send: () => Promise<Answer<Body>>,
  { tries, again, onRetry, signal }: Persistence,
): Promise<Answer<Body>> {
  for (let failures = 1; ; failures += 1) {
    const answer = await send()
    if (answer.ok || failures >= tries || !again(answer) || signal?.aborted) return answer
    onRetry?.(failures)
    await pause(Math.max(backoffMs(failures), Math.min(answer.retryAfterMs, MAX_RETRY_AFTER_MS)))
    if (signal?.aborted) return answer
  }
}

/** Waits, or until the network is back. */
function pause(ms: number): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(done, ms)
    globalThis.addEventListener?.('online', done)
    function done(): void {
      clearTimeout(timer)
      globalThis.removeEventListener?.('online', done)
      resolve()
    }
  })
}

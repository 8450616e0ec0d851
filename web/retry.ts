import type { Answer, Problem } from './api.ts'

const FIRST_DELAY_MS = 500
/** A page is live and its attempt recorded this soon after a server is back; 1,000 pages come back at 300 a second. */
const MAX_DELAY_MS = 5_000
/** A server that asks for more patience than this is asked again all the same. */
const MAX_RETRY_AFTER_MS = 60_000

/** Doubling delays with half of each left to chance, so that many pages do not come back in step. */
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

/** The server has not decided: the same request may well succeed later. */
export function isTransient({ code }: Problem): boolean {
  return TRANSIENT.includes(code)
}

/** The answer was lost or the database is away; a limit, in contrast, is for the person to read. */
export function isLost({ code }: Problem): boolean {
  return code === 'network' || code === 'unavailable'
}

/** A person's own action: sent three times before the page says that it did not work. */
export const LOST_ANSWERS = { tries: 3, again: isLost }

export interface Persistence {
  /** How often to send at most. */
  readonly tries: number
  readonly again: (problem: Problem) => boolean
  /** Told after each failure that will be followed by another try. */
  readonly onRetry?: (failures: number) => void
  readonly signal?: AbortSignal | undefined
}

/** Sends until there is an answer that another try would not change. */
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

/** Waits, but not longer than until the network is back. */
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

import type { Answer, Problem } from './api.ts'

const FIRST_DELAY_MS = 500
/** The longest delay, which spreads the requests of all pages after a server restart. */
const MAX_DELAY_MS = 5_000
/** The longest wait that the page accepts from `Retry-After`. */
const MAX_RETRY_AFTER_MS = 60_000

/** Returns a delay that doubles with each failure. Half is random, so that pages do not retry together. */
export function backoffMs(failures: number, maxMs = MAX_DELAY_MS): number {
  const delay = Math.min(maxMs, FIRST_DELAY_MS * 2 ** Math.max(0, failures - 1))
  return delay * (0.5 + Math.random() / 2)
}

const TRANSIENT: readonly Problem['code'][] = [
  'network',
  'stranger',
  'too_slow',
  'too_many_requests',
  'unavailable',
  'internal',
]

/** Returns true when the same request may succeed later. */
export function isTransient({ code }: Problem): boolean {
  return TRANSIENT.includes(code)
}

/** Returns true when no answer arrived or the server is unavailable. A rate limit is not retried. */
export function isLost({ code }: Problem): boolean {
  return code === 'network' || code === 'stranger' || code === 'unavailable'
}

/** Options of `persist`: at most three tries when answers are lost. */
export const RETRY_LOST_ANSWERS = { tries: 3, shouldRetry: isLost }

export interface Persistence {
  readonly tries: number
  readonly shouldRetry: (problem: Problem) => boolean
  /** Receives the number of failures, the last problem and the delay before each retry. */
  readonly onRetry?: (failures: number, problem: Problem, delayMs: number) => void
  readonly signal?: AbortSignal | undefined
}

/** Sends a request until its answer is final or no tries remain. */
export async function persist<Body>(
  send: () => Promise<Answer<Body>>,
  { tries, shouldRetry, onRetry, signal }: Persistence,
): Promise<Answer<Body>> {
  for (let failures = 1; ; failures += 1) {
    const answer = await send()
    if (answer.ok || failures >= tries || !shouldRetry(answer) || signal?.aborted) return answer
    const delayMs = Math.max(backoffMs(failures), Math.min(answer.retryAfterMs, MAX_RETRY_AFTER_MS))
    onRetry?.(failures, answer, delayMs)
    await pause(delayMs, signal)
    if (signal?.aborted) return answer
  }
}

/** Waits for `ms`, until the network is back, or until aborted. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(done, ms)
    globalThis.addEventListener?.('online', done)
    signal?.addEventListener('abort', done)
    function done(): void {
      clearTimeout(timer)
      globalThis.removeEventListener?.('online', done)
      signal?.removeEventListener('abort', done)
      resolve()
    }
  })
}

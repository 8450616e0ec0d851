import type { StartBody } from '../../contract/api.ts'
import { SPENDABLE_MS, sendableAt } from '../../contract/clock.ts'
import { ROUND_LIFETIME_MS } from '../../contract/rules.ts'
import { toSeconds } from '../../contract/time.ts'
import type { Storage } from '../lib/storage.ts'
import type { Recorded } from '../net/answers.ts'
import type { Answer, Api, Problem } from '../net/api.ts'
import { isTransient, persist } from '../net/retry.ts'
import {
  type PendingAttempt,
  readPendingAttempt,
  removePendingAttempt,
  storePendingAttempt,
} from './pending-attempt.ts'

/** The number of tries: unlimited, because the server refuses attempts ten minutes after their Start. */
const TRIES = Number.POSITIVE_INFINITY

export type AttemptSender = ReturnType<typeof createAttemptSender>

/** The token that the server returned for a Start. */
interface StartToken {
  readonly token: string
  /** Time of the answer, in ms since the page's time origin. */
  readonly answeredAt: number
  /** Whether the answer arrived so soon that the attempt can be sent immediately after Stop. */
  readonly isPrompt: boolean
}

/**
 * Sends Starts and attempts until the server accepts or refuses each request, or strangers have answered for
 * as long as an attempt can count. Attempts survive a reload.
 *
 * @param painted - Resolves when the press is painted, because sending would delay the paint.
 */
export function createAttemptSender(
  api: Pick<Api, 'startRound' | 'recordAttempt'>,
  storage: Storage,
  painted: () => Promise<void>,
) {
  let starting: { round: string; startToken: Promise<Answer<StartToken>> } | null = null
  /** Receives the failures of the Start that an attempt waits for; undefined while no attempt waits. */
  let onStartRetry: ((failures: number) => void) | undefined

  async function requestToken(
    start: StartBody,
    pressedAt: number,
    signal?: AbortSignal,
  ): Promise<Answer<StartToken>> {
    const answer = await persist(() => api.startRound(start), {
      tries: TRIES,
      shouldRetry: createPatience(),
      onRetry: failures => onStartRetry?.(failures),
      signal,
    })
    if (!answer.ok) return answer
    const answeredAt = performance.now()
    const isPrompt = answeredAt - pressedAt <= SPENDABLE_MS
    return { ...answer, body: { token: answer.body.start, answeredAt, isPrompt } }
  }

  async function startTokenOf({
    round,
    start: token,
    username,
  }: PendingAttempt): Promise<Answer<StartToken>> {
    if (starting?.round === round) return starting.startToken
    // Start was pressed before this page was loaded, so the time of the press is unknown.
    if (token === null) return requestToken({ round, username }, Number.NEGATIVE_INFINITY)
    return { ok: true, body: { token, answeredAt: performance.now(), isPrompt: false } }
  }

  async function send(
    pending: PendingAttempt,
    onRetry: (failures: number) => void,
  ): Promise<Answer<Recorded>> {
    storePendingAttempt(storage, pending)
    onStartRetry = onRetry
    await painted()
    const startToken = await startTokenOf(pending)
    if (!startToken.ok) return startToken
    const { token: start, answeredAt, isPrompt } = startToken.body
    storePendingAttempt(storage, { ...pending, start })
    const { username, actual_ms } = pending
    if (!isPrompt) await waitUntil(sendableAt(answeredAt, actual_ms))
    const attempt = { start, username, actual_time: toSeconds(actual_ms) }
    return persist(() => api.recordAttempt(attempt), { tries: TRIES, shouldRetry: createPatience(), onRetry })
  }

  return {
    /** Returns the attempt that is not yet recorded, or null. */
    leftOver: () => readPendingAttempt(storage),
    /**
     * Sends a Start once its press is painted. Retries until the server answers or the round is abandoned.
     *
     * @param pressedAt - Time of the press, in ms since the page's time origin.
     * @param signal - Aborts further tries.
     */
    async start(start: StartBody, pressedAt: number, signal: AbortSignal): Promise<Answer<unknown>> {
      onStartRetry = undefined
      const startToken = painted().then(() => requestToken(start, pressedAt, signal))
      starting = { round: start.round, startToken }
      return startToken
    },
    /**
     * Stores the attempt, and sends it once the server has answered its Start.
     *
     * @param onRetry - Receives the number of failures so far.
     */
    async send(pending: PendingAttempt, onRetry: (failures: number) => void): Promise<Answer<Recorded>> {
      const answer = await send(pending, onRetry)
      removePendingAttempt(storage, pending)
      return answer
    },
  }
}

/** Returns a check that ends after ten minutes in which only strangers answered. */
function createPatience(): (problem: Problem) => boolean {
  let strangersSince: number | null = null
  return problem => {
    if (problem.code !== 'stranger') strangersSince = null
    else strangersSince ??= performance.now()
    const isOver = strangersSince !== null && performance.now() - strangersSince >= ROUND_LIFETIME_MS
    return isTransient(problem) && !isOver
  }
}

function waitUntil(at: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, Math.max(0, at - performance.now())))
}

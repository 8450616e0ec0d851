import type { StartBody } from '../../contract/api.ts'
import { sendableAt } from '../../contract/clock.ts'
import { toSeconds } from '../../contract/time.ts'
import type { Storage } from '../lib/storage.ts'
import type { Recorded } from '../net/answers.ts'
import type { Answer, Api } from '../net/api.ts'
import { persist } from '../net/retry.ts'
import { roundPersistence, untilEnded } from './patience.ts'
import {
  type PendingAttempt,
  readPendingAttempt,
  removePendingAttempt,
  storePendingAttempt,
} from './pending-attempt.ts'
import { createStarts } from './start-token.ts'

export type AttemptSender = ReturnType<typeof createAttemptSender>

interface Deps {
  readonly api: Pick<Api, 'startRound' | 'recordAttempt' | 'session'>
  readonly storage: Storage
  /** Resolves when the press is painted, because sending would delay the paint. */
  readonly painted: () => Promise<void>
  /** Called before an attempt is sent for the first time by this page. */
  readonly onSend: () => void
}

/**
 * Sends Starts and attempts until the server accepts or refuses each request, or strangers have answered for
 * as long as an attempt can count. Attempts survive a reload.
 */
export function createAttemptSender({ api, storage, painted, onSend }: Deps) {
  const starts = createStarts(api, painted)

  async function send(
    pending: PendingAttempt,
    onRetry: (failures: number) => void,
  ): Promise<Answer<Recorded>> {
    const hasEnded = () => hasEndedSince(api, pending)
    storePendingAttempt(storage, pending)
    await painted()
    const startToken = await starts.tokenOf(pending, { onRetry, hasEnded })
    if (!startToken.ok) return startToken
    const { token: start, answeredAt, isPrompt } = startToken.body
    storePendingAttempt(storage, { ...pending, start })
    const { username, actual_ms } = pending
    if (!isPrompt) await waitUntil(sendableAt(answeredAt, actual_ms))
    const attempt = { start, username, actual_time: toSeconds(actual_ms) }
    const record = untilEnded(() => api.recordAttempt(attempt), hasEnded)
    onSend()
    return persist(record, { ...roundPersistence(), onRetry })
  }

  return {
    /** Returns the attempt that is not yet recorded, or null. */
    leftOver: () => readPendingAttempt(storage),
    start: (start: StartBody, pressedAt: number, signal: AbortSignal): Promise<Answer<unknown>> =>
      starts.start(start, pressedAt, signal),
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

/** Returns whether the player has a later round now; false while unknown. */
async function hasEndedSince(api: Pick<Api, 'session'>, { rounds }: PendingAttempt): Promise<boolean> {
  if (rounds === null) return false
  const session = await api.session()
  return session.ok && session.body.record.rounds > rounds
}

function waitUntil(at: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, Math.max(0, at - performance.now())))
}

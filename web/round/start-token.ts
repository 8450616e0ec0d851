import type { StartBody } from '../../contract/api.ts'
import { SPENDABLE_MS } from '../../contract/clock.ts'
import type { Answer, Api } from '../net/api.ts'
import { persist } from '../net/retry.ts'
import { roundPersistence, untilEnded } from './patience.ts'
import type { PendingAttempt } from './pending-attempt.ts'

/** The token that the server returned for a Start. */
export interface StartToken {
  readonly token: string
  /** Time of the answer, in ms since the page's time origin. */
  readonly answeredAt: number
  /** Whether the answer arrived so soon that the attempt can be sent immediately after Stop. */
  readonly isPrompt: boolean
}

/** An attempt that waits for the answer to its Start. */
export interface Waiting {
  /** Receives the number of failures so far. */
  readonly onRetry: (failures: number) => void
  readonly hasEnded: () => Promise<boolean>
}

interface Starting {
  readonly start: StartBody
  /** Time of the press, in ms since the page's time origin; −∞ for a Start of an earlier page. */
  readonly pressedAt: number
  readonly signal?: AbortSignal
  /** The attempt that waits for this Start; null before Stop. */
  waiting: Waiting | null
}

/** Sends Starts, and keeps the last one until its attempt asks for the token. */
export function createStarts(api: Pick<Api, 'startRound'>, painted: () => Promise<void>) {
  let last: (Starting & { readonly token: Promise<Answer<StartToken>> }) | null = null
  return {
    /**
     * Sends a Start once its press is painted. Retries until the server answers or the round is abandoned.
     *
     * @param pressedAt - Time of the press, in ms since the page's time origin.
     * @param signal - Aborts further tries.
     */
    start(start: StartBody, pressedAt: number, signal: AbortSignal): Promise<Answer<StartToken>> {
      const starting: Starting = { start, pressedAt, signal, waiting: null }
      const token = painted().then(() => requestToken(api, starting))
      last = Object.assign(starting, { token })
      return token
    },
    /** Returns the token of an attempt's Start; requests the token for an attempt of an earlier page. */
    async tokenOf(pending: PendingAttempt, waiting: Waiting): Promise<Answer<StartToken>> {
      const { round, start: token, username } = pending
      if (last?.start.round === round) {
        last.waiting = waiting
        return last.token
      }
      // Start was pressed before this page was loaded, so the time of the press is unknown.
      const pressedAt = Number.NEGATIVE_INFINITY
      if (token === null) return requestToken(api, { start: { round, username }, pressedAt, waiting })
      return { ok: true, body: { token, answeredAt: performance.now(), isPrompt: false } }
    },
  }
}

async function requestToken(api: Pick<Api, 'startRound'>, starting: Starting): Promise<Answer<StartToken>> {
  // Before Stop, the number of rounds is not known yet.
  const hasEnded = async () => starting.waiting?.hasEnded() ?? false
  const answer = await persist(
    untilEnded(() => api.startRound(starting.start), hasEnded),
    {
      ...roundPersistence(),
      onRetry: failures => starting.waiting?.onRetry(failures),
      signal: starting.signal,
    },
  )
  if (!answer.ok) return answer
  const answeredAt = performance.now()
  const isPrompt = answeredAt - starting.pressedAt <= SPENDABLE_MS
  return { ok: true, body: { token: answer.body.start, answeredAt, isPrompt } }
}

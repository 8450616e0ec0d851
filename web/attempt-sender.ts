import type { Recorded, StartBody } from '../contract/api.ts'
import { SPENDABLE_MS, sendableAt } from '../contract/clock.ts'
import { toSeconds } from '../contract/time.ts'
import type { Answer, Api } from './api.ts'
import {
  type PendingAttempt,
  readPendingAttempt,
  removePendingAttempt,
  storePendingAttempt,
} from './pending-attempt.ts'
import { isTransient, persist } from './retry.ts'
import type { Storage } from './storage.ts'

/** Sends until the server refuses, ten minutes after Start. */
const TRIES = Number.POSITIVE_INFINITY

/** Sends Starts and attempts until recorded or refused, also after a reload. */
export interface AttemptSender {
  /** Returns an attempt that an earlier page could not send. */
  leftOver(): PendingAttempt | null
  /**
   * Sends a Start once its press is painted, again and again until it arrives or the run is abandoned.
   *
   * @param pressedAt - Time of the press, in ms of the page's monotonic clock.
   */
  start(start: StartBody, pressedAt: number, givenUp: AbortSignal): Promise<Answer<unknown>>
  /**
   * Stores the attempt and sends it once its Start has arrived.
   *
   * @param onRetry - Receives the number of failures so far.
   */
  send(pending: PendingAttempt, onRetry: (failures: number) => void): Promise<Answer<Recorded>>
}

/** An answered Start; times in ms of the page's monotonic clock. */
interface Stamp {
  readonly text: string
  readonly answeredAt: number
  /** Answered so soon that no attempt can arrive too early. */
  readonly prompt: boolean
}

/** @param painted - Resolves when the press is painted; sending would delay that on a slow phone. */
export function createAttemptSender(
  api: Pick<Api, 'startRound' | 'recordAttempt'>,
  storage: Storage,
  painted: () => Promise<void>,
): AttemptSender {
  let starting: { round: string; stamp: Promise<Answer<Stamp>> } | null = null
  /** Set once an attempt waits for its Start. */
  let onStartRetry: ((failures: number) => void) | undefined

  async function ask(start: StartBody, pressedAt: number, givenUp?: AbortSignal): Promise<Answer<Stamp>> {
    const answer = await persist(() => api.startRound(start), {
      tries: TRIES,
      again: isTransient,
      onRetry: failures => onStartRetry?.(failures),
      signal: givenUp,
    })
    if (!answer.ok) return answer
    const answeredAt = performance.now()
    const prompt = answeredAt - pressedAt <= SPENDABLE_MS
    return { ...answer, body: { text: answer.body.start, answeredAt, prompt } }
  }

  async function stampOf({ round, start: text, username }: PendingAttempt): Promise<Answer<Stamp>> {
    if (starting?.round === round) return starting.stamp
    // An earlier page sent this Start, and its duration is no longer known.
    if (text === null) return ask({ round, username }, Number.NEGATIVE_INFINITY)
    return { ok: true, body: { text, answeredAt: performance.now(), prompt: false } }
  }

  async function send(
    pending: PendingAttempt,
    onRetry: (failures: number) => void,
  ): Promise<Answer<Recorded>> {
    storePendingAttempt(storage, pending)
    onStartRetry = onRetry
    await painted()
    const stamp = await stampOf(pending)
    if (!stamp.ok) return stamp
    const { text: start, answeredAt, prompt } = stamp.body
    storePendingAttempt(storage, { ...pending, start })
    const { username, actual_ms } = pending
    if (!prompt) await waitUntil(sendableAt(answeredAt, actual_ms))
    const attempt = { start, username, actual_time: toSeconds(actual_ms) }
    return persist(() => api.recordAttempt(attempt), { tries: TRIES, again: isTransient, onRetry })
  }

  return {
    leftOver: () => readPendingAttempt(storage),
    async start(start, pressedAt, givenUp) {
      onStartRetry = undefined
      const stamp = painted().then(() => ask(start, pressedAt, givenUp))
      starting = { round: start.round, stamp }
      return stamp
    },
    async send(pending, onRetry) {
      const answer = await send(pending, onRetry)
      removePendingAttempt(storage, pending)
      return answer
    },
  }
}

function waitUntil(at: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, Math.max(0, at - performance.now())))
}

import type { Recorded, Start } from '../contract/api.ts'
import { toSeconds } from '../contract/time.ts'
import type { Answer, Api } from './api.ts'
import { isTransient, persist } from './retry.ts'
import type { Storage } from './storage.ts'
import { dropUnsent, keepUnsent, readUnsent, type Unsent } from './unsent.ts'

/** Nothing gives up before the server does: ten minutes after Start it answers that the round has expired. */
const TRIES = Number.POSITIVE_INFINITY

/** Sends Starts and attempts until they are recorded or refused, over lost connections and reloads. */
export interface Outbox {
  /** The attempt that an earlier page could not send. */
  leftOver(): Unsent | null
  /** Sends a Start at once, and again until it arrives or the run is given up. */
  start(round: string, givenUp: AbortSignal): Promise<Answer<Start>>
  /**
   * Keeps the attempt and delivers it: first its Start, if that has not arrived yet.
   *
   * @param onRetry told how often sending has failed so far
   */
  send(unsent: Unsent, onRetry: (failures: number) => void): Promise<Answer<Recorded>>
}

export function createOutbox(api: Pick<Api, 'startRound' | 'recordAttempt'>, storage: Storage): Outbox {
  let starting: { round: string; answer: Promise<Answer<Start>> } | null = null

  function start(round: string, givenUp?: AbortSignal): Promise<Answer<Start>> {
    const signal = givenUp ? { signal: givenUp } : {}
    const answer = persist(() => api.startRound(round), { tries: TRIES, again: isTransient, ...signal })
    starting = { round, answer }
    return answer
  }

  async function startOf({ round, start: stamp }: Unsent): Promise<Answer<Pick<Start, 'start'>>> {
    if (stamp !== null) return { ok: true, status: 200, body: { start: stamp } }
    return starting?.round === round ? starting.answer : start(round)
  }

  async function send(unsent: Unsent, onRetry: (failures: number) => void): Promise<Answer<Recorded>> {
    keepUnsent(storage, unsent)
    const started = await startOf(unsent)
    if (!started.ok) return started
    keepUnsent(storage, { ...unsent, start: started.body.start })
    const { username, actual_ms } = unsent
    const attempt = { start: started.body.start, username, actual_time: toSeconds(actual_ms) }
    return persist(() => api.recordAttempt(attempt), { tries: TRIES, again: isTransient, onRetry })
  }

  return {
    leftOver: () => readUnsent(storage),
    start,
    async send(unsent, onRetry) {
      const answer = await send(unsent, onRetry)
      dropUnsent(storage, unsent)
      return answer
    },
  }
}

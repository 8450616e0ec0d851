import type { Attempt } from '../../contract/api.ts'
import { LIVE_PARTS, type LiveBodies, type LivePart } from '../../contract/live.ts'
import { createStore, type Store } from '../lib/store.ts'
import { get } from '../net/api.ts'
import { backoffMs } from '../net/retry.ts'
import { BOARDS, openStream } from './live-stream.ts'

export type LiveStatus = 'live' | 'reconnecting' | 'offline'

/** The state of the stream and the boards; a board is null until received. */
export interface LiveState {
  readonly status: LiveStatus
  readonly parts: { readonly [Part in LivePart]: LiveBodies[Part] | null }
}

export interface Live extends Store<LiveState> {
  /** Makes the player's own attempt visible, by reading the boards unless the stream brings the attempt. */
  recorded(attempt: Pick<Attempt, 'id'>): void
}

/** The polling interval while no stream delivers. */
export const POLL_EVERY_MS = 5_000

/** The longest pause before a new stream, because a silent proxy may keep the old streams open. */
const MAX_PAUSE_MS = 60_000

/** The time in which the stream normally brings the player's own attempt. */
export const OWN_ATTEMPT_MS = 1_000

const INITIAL: LiveState = {
  status: 'reconnecting',
  parts: { prize_pool: null, leaderboard: null, attempts: null },
}

/**
 * Watches the live stream, and polls the boards until a stream delivers. A stream that fails or falls silent
 * is replaced, after pauses that grow until an event has arrived. What arrives last is shown: numbers of
 * attempts go back after a restore. A hidden tab closes its stream, because browsers allow only six HTTP/1.1
 * connections per host.
 */
export function watchLive(url = '/api/live'): Live {
  const state = createStore(INITIAL)
  let closeStream: () => void = () => undefined
  let failures = 0
  let reopening: ReturnType<typeof setTimeout> | undefined
  let polling: ReturnType<typeof setInterval> | undefined

  function update(status: LiveStatus, parts?: Partial<LiveBodies>): void {
    const { parts: last } = state.get()
    state.set({ status, parts: parts ? { ...last, ...parts } : last })
  }

  function open(): void {
    clearTimeout(reopening)
    closeStream()
    if (document.hidden) {
      stopPolling()
      update('reconnecting')
      return
    }
    startPolling()
    closeStream = openStream(url, { onEvent, onDead })
  }

  function onEvent(parts?: Partial<LiveBodies>): void {
    failures = 0
    stopPolling()
    update('live', parts)
  }

  function onDead(): void {
    failures += 1
    update(navigator.onLine ? 'reconnecting' : 'offline')
    startPolling()
    void poll()
    reopening = setTimeout(open, backoffMs(failures, MAX_PAUSE_MS))
  }

  function startPolling(): void {
    polling ??= setInterval(poll, POLL_EVERY_MS)
  }

  function stopPolling(): void {
    clearInterval(polling)
    polling = undefined
  }

  /** Reads the boards. Drops the answers when other boards have arrived since, which may be newer. */
  async function poll(): Promise<void> {
    const { parts } = state.get()
    const answers = await Promise.all(LIVE_PARTS.map(part => get(BOARDS[part])))
    if (state.get().parts !== parts) return
    const read = answers.map((answer, index) => (answer.ok ? [[LIVE_PARTS[index], answer.body]] : []))
    update(state.get().status, Object.fromEntries(read.flat()))
  }

  function pollFor({ id }: Pick<Attempt, 'id'>): void {
    const feed = state.get().parts.attempts?.attempts ?? []
    if (!document.hidden && !feed.some(attempt => attempt.id >= id)) void poll()
  }

  document.addEventListener('visibilitychange', open)
  globalThis.addEventListener('online', open)
  // Leaves the stream open: a server on this machine is reachable even when the browser is offline.
  globalThis.addEventListener('offline', () => update('offline'))
  open()
  return {
    ...state,
    recorded: attempt => void setTimeout(pollFor, OWN_ATTEMPT_MS, attempt),
  }
}

import type { Attempt, AttemptList } from '../../contract/api.ts'
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
  const read = createReader()

  const update = (parts: Partial<LiveBodies>, status = state.get().status) =>
    state.set({ status, parts: { ...state.get().parts, ...parts } })

  function open(): void {
    close()
    if (document.hidden) {
      stopPolling()
      update({}, 'reconnecting')
      return
    }
    startPolling()
    closeStream = openStream(url, { onEvent, onDead })
  }

  function close(): void {
    clearTimeout(reopening)
    closeStream()
  }

  function onEvent(parts: Partial<LiveBodies>): void {
    failures = 0
    stopPolling()
    update(parts, 'live')
  }

  function onDead(why: 'failed' | 'silent'): void {
    failures += 1
    update({}, navigator.onLine ? 'reconnecting' : 'offline')
    startPolling()
    if (why === 'silent') void poll()
    reopening = setTimeout(open, backoffMs(failures, MAX_PAUSE_MS))
  }

  function startPolling(): void {
    polling ??= setInterval(poll, POLL_EVERY_MS)
  }

  function stopPolling(): void {
    clearInterval(polling)
    polling = undefined
  }

  /** Drops the answers once the stream has sent newer boards. */
  async function poll(): Promise<void> {
    const boards = await read(LIVE_PARTS)
    if (polling !== undefined) update(boards)
  }

  async function readOwn(attempt: Pick<Attempt, 'id'>): Promise<void> {
    const hasArrived = () => document.hidden || hasBrought(state.get().parts.attempts, attempt)
    if (hasArrived()) return
    const boards = await read(['prize_pool', 'attempts'])
    if (!hasArrived()) update(boards)
  }

  document.addEventListener('visibilitychange', open)
  globalThis.addEventListener('online', open)
  // Leaves the stream open: a server on this machine is reachable even when the browser is offline.
  globalThis.addEventListener('offline', () => update({}, 'offline'))
  open()
  return {
    ...state,
    recorded: attempt => void setTimeout(readOwn, OWN_ATTEMPT_MS, attempt),
  }
}

/** Returns whether the feed has the attempt, or only newer attempts, as in a crowd. */
function hasBrought(feed: AttemptList | null, { id }: Pick<Attempt, 'id'>): boolean {
  if (feed === null || feed.attempts.length === 0) return false
  return feed.attempts.some(attempt => attempt.id === id) || feed.attempts.every(attempt => attempt.id > id)
}

/** Returns a function that reads boards. Leaves out boards whose request fails, or was sent before another's. */
function createReader(): (parts: readonly LivePart[]) => Promise<Partial<LiveBodies>> {
  let sent = 0
  let received = 0
  return async parts => {
    sent += 1
    const number = sent
    const answers = await Promise.all(parts.map(part => get(BOARDS[part])))
    if (number < received) return {}
    received = number
    return Object.fromEntries(
      answers.flatMap((answer, index) => (answer.ok ? [[parts[index], answer.body]] : [])),
    )
  }
}

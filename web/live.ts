import { LIVE_PARTS, type LiveBodies, type LivePart } from '../contract/live.ts'
import { get } from './api.ts'
import { backoffMs } from './retry.ts'
import { createStore, type Store } from './store.ts'

export type LiveStatus = 'live' | 'reconnecting' | 'offline'

/** The boards that everybody watches, as far as they have arrived. */
export interface LiveState {
  readonly status: LiveStatus
  readonly parts: { readonly [Part in LivePart]: LiveBodies[Part] | null }
}

export type Live = Store<LiveState>

/**
 * How long a new stream may stay silent, in ms, and how often the boards are fetched instead from then on: a proxy may hold
 * the stream back for good. The server sends everything at once.
 */
const POLL_EVERY_MS = 5_000

const NOTHING: LiveState = {
  status: 'reconnecting',
  parts: { prize_pool: null, leaderboard: null, attempts: null },
}

/**
 * Watches the live stream. Reconnects by its own backoff with jitter, and at once when the network is back or
 * the tab is shown. A hidden tab closes its stream: a browser allows 6 connections per host on HTTP/1.1, so the
 * seventh tab would hang.
 */
export function watchLive(url = '/api/live'): Live {
  const state = createStore(NOTHING)
  let source: EventSource | null = null
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let polling: ReturnType<typeof setInterval> | undefined

  const take = (parts: Partial<LiveBodies>, status = state.get().status) =>
    state.set({ status, parts: { ...state.get().parts, ...parts } })

  function open(): void {
    close()
    if (document.hidden) {
      stopPolling()
      return
    }
    polling ??= setInterval(() => void readBoards().then(takePolled), POLL_EVERY_MS)
    source = new EventSource(url)
    source.addEventListener('open', () => {
      failures = 0
      take({}, 'live')
    })
    source.addEventListener('error', fail)
    for (const part of LIVE_PARTS) {
      source.addEventListener(part, ({ data }: MessageEvent<string>) => {
        stopPolling()
        take({ [part]: JSON.parse(data) }, 'live')
      })
    }
  }

  // The stream may have brought something newer meanwhile.
  const takePolled = (boards: Partial<LiveBodies>) => polling && take(boards)

  function stopPolling(): void {
    clearInterval(polling)
    polling = undefined
  }

  /** The browser reconnects without jitter, so the page closes a failed stream and opens a new one itself. */
  function fail(): void {
    close()
    failures += 1
    take({}, navigator.onLine ? 'reconnecting' : 'offline')
    timer = setTimeout(open, backoffMs(failures))
  }

  function close(): void {
    clearTimeout(timer)
    source?.close()
    source = null
  }

  document.addEventListener('visibilitychange', open)
  globalThis.addEventListener('online', open)
  // `onLine` is about the network outside: a server on this machine can be reached without it.
  globalThis.addEventListener('offline', () => take({}, 'offline'))
  open()
  return state
}

/** The boards by plain calls, as far as they can be fetched. */
async function readBoards(): Promise<Partial<LiveBodies>> {
  const [pool, leaderboard, attempts] = await Promise.all([
    get('/api/prize-pool'),
    get('/api/leaderboard'),
    get('/api/attempts'),
  ])
  return {
    ...(pool.ok && { prize_pool: pool.body }),
    ...(leaderboard.ok && { leaderboard: leaderboard.body }),
    ...(attempts.ok && { attempts: attempts.body }),
  }
}

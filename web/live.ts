import { LIVE_PARTS, type LiveBodies, type LivePart } from '../contract/live.ts'
import { get } from './api.ts'
import { backoffMs } from './retry.ts'
import { createStore, type Store } from './store.ts'

export type LiveStatus = 'live' | 'reconnecting' | 'offline'

/** The shared boards; null until they arrive. */
export interface LiveState {
  readonly status: LiveStatus
  readonly parts: { readonly [Part in LivePart]: LiveBodies[Part] | null }
}

export type Live = Store<LiveState>

/**
 * How long a new stream may stay silent, and how often the boards are polled from then on. A proxy may hold
 * the stream back.
 */
const POLL_EVERY_MS = 5_000

const NOTHING: LiveState = {
  status: 'reconnecting',
  parts: { prize_pool: null, leaderboard: null, attempts: null },
}

/**
 * Watches the live stream and reconnects with backoff and jitter. A hidden tab closes its stream: HTTP/1.1
 * browsers allow six connections per host, so a seventh tab would hang.
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

  // Drops a polled answer once the stream has brought newer boards.
  const takePolled = (boards: Partial<LiveBodies>) => polling && take(boards)

  function stopPolling(): void {
    clearInterval(polling)
    polling = undefined
  }

  /** Reopens a failed stream, because browsers reconnect without jitter. */
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
  // `onLine` can be false although a server on this machine is reachable.
  globalThis.addEventListener('offline', () => take({}, 'offline'))
  open()
  return state
}

/** Fetches the boards; those that fail are left out. */
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

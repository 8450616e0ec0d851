import { LIVE_PARTS, type LiveBodies, type LivePart } from '../contract/live.ts'
import { get } from './api.ts'
import { backoffMs } from './retry.ts'
import { createStore, type Store } from './store.ts'

export type LiveStatus = 'live' | 'reconnecting' | 'offline'

/** The state of the stream and the boards; a board is null until received. */
export interface LiveState {
  readonly status: LiveStatus
  readonly parts: { readonly [Part in LivePart]: LiveBodies[Part] | null }
}

export type Live = Store<LiveState>

/** The polling interval until the stream sends the boards, because some proxies delay the stream. */
const POLL_EVERY_MS = 5_000

const INITIAL: LiveState = {
  status: 'reconnecting',
  parts: { prize_pool: null, leaderboard: null, attempts: null },
}

/**
 * Watches the live stream and reconnects with backoff and jitter. A hidden tab closes its stream, because
 * browsers allow only six HTTP/1.1 connections per host.
 */
export function watchLive(url = '/api/live'): Live {
  const state = createStore(INITIAL)
  let source: EventSource | null = null
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let polling: ReturnType<typeof setInterval> | undefined

  const update = (parts: Partial<LiveBodies>, status = state.get().status) =>
    state.set({ status, parts: { ...state.get().parts, ...parts } })

  function open(): void {
    close()
    if (document.hidden) {
      stopPolling()
      return
    }
    polling ??= setInterval(() => void readBoards().then(updateFromPoll), POLL_EVERY_MS)
    source = new EventSource(url)
    source.addEventListener('open', () => {
      failures = 0
      update({}, 'live')
    })
    source.addEventListener('error', onError)
    for (const part of LIVE_PARTS) {
      source.addEventListener(part, ({ data }: MessageEvent<string>) => {
        stopPolling()
        update({ [part]: JSON.parse(data) }, 'live')
      })
    }
  }

  // Drops a polled answer once the stream has sent newer boards.
  const updateFromPoll = (boards: Partial<LiveBodies>) => polling && update(boards)

  function stopPolling(): void {
    clearInterval(polling)
    polling = undefined
  }

  /** Reopens a failed stream after a random delay, because browsers would reconnect without jitter. */
  function onError(): void {
    close()
    failures += 1
    update({}, navigator.onLine ? 'reconnecting' : 'offline')
    timer = setTimeout(open, backoffMs(failures))
  }

  function close(): void {
    clearTimeout(timer)
    source?.close()
    source = null
  }

  document.addEventListener('visibilitychange', open)
  globalThis.addEventListener('online', open)
  // Leaves the stream open: a server on this machine is reachable even when the browser is offline.
  globalThis.addEventListener('offline', () => update({}, 'offline'))
  open()
  return state
}

/** Fetches the boards. Leaves out each board whose request fails. */
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

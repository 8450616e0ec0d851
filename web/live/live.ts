import type { Attempt } from '../../contract/api.ts'
import { LIVE_PARTS, type LiveBodies, type LivePart } from '../../contract/live.ts'
import { createStore, type Store } from '../lib/store.ts'
import { get } from '../net/api.ts'
import { backoffMs } from '../net/retry.ts'
import { BOARDS, openStream } from './live-stream.ts'
import { type Release, takePlace } from './stream-place.ts'

export type LiveStatus = 'live' | 'reconnecting' | 'offline'

/** The state of the stream and the boards; a board is null until received. */
export interface LiveState {
  readonly status: LiveStatus
  readonly parts: { readonly [Part in LivePart]: LiveBodies[Part] | null }
}

export interface Live extends Store<LiveState> {
  /** Notes that the page is about to send the player's own attempt, which an event will follow. */
  sending(): void
  /** Makes the player's own attempt visible, by reading the boards unless the stream brings the attempt. */
  recorded(attempt: Pick<Attempt, 'id'>): void
}

/** The polling interval while no stream delivers. */
export const POLL_EVERY_MS = 5_000

/** The polling interval of a page without a place for a stream; each read tries for a place again. */
export const POLL_WITHOUT_PLACE_MS = 2_000

/** The longest pause before a new stream, because a silent proxy may keep the old streams open. */
const MAX_PAUSE_MS = 60_000

/** The time in which the stream normally brings the player's own attempt. */
export const OWN_ATTEMPT_MS = 1_000

/** The silence after the answer to the own attempt that shows a stream to be dead. */
export const OWN_SILENCE_MS = 5_000

const INITIAL: LiveState = {
  status: 'reconnecting',
  parts: { prize_pool: null, leaderboard: null, attempts: null },
}

/** Where the stream is, and how a page without a place behaves. */
interface Options {
  readonly url?: string
  /** Returns true for a page that reads where the browser cannot count streams: one of many parts of a board. */
  readonly isPart?: () => boolean
}

/**
 * Watches the live stream, and polls the boards until a stream delivers. A stream that fails or falls silent
 * is replaced, after pauses that grow until an event has arrived. What arrives last is shown: numbers of
 * attempts go back after a restore. A hidden tab closes its stream, because browsers allow only six HTTP/1.1
 * connections per host. For the same reason, a page polls while other tabs have all places for streams.
 */
export function watchLive({ url = '/api/live', isPart = () => false }: Options = {}): Live {
  const state = createStore(INITIAL)
  const reader = createReader(state)
  let closeStream: () => void = () => undefined
  let release: Release = () => undefined
  let failures = 0
  /** Counts openings, to detect a place that comes too late. */
  let opening = 0
  let reopening: ReturnType<typeof setTimeout> | undefined
  /** Whether this stream has brought an event since the page sent an attempt; null without a stream. */
  let own: { isHeard: boolean } | null = null

  /** Gives the place back, because a page that holds a lock cannot enter the back/forward cache. */
  function close(): void {
    opening += 1
    clearTimeout(reopening)
    closeStream()
    release()
    closeStream = release = () => undefined
    own = null
  }

  function open(): void {
    close()
    if (document.hidden) {
      reader.stop()
      update(state, 'reconnecting')
      return
    }
    reader.start()
    if ('locks' in navigator) void openWithPlace(opening)
    else openWithout('unknown')
  }

  async function openWithPlace(current: number): Promise<void> {
    const place = await takePlace()
    const isLate = current !== opening
    if (typeof place === 'string') {
      if (!isLate) openWithout(place)
    } else if (isLate) place()
    else {
      release = place
      stream()
    }
  }

  function openWithout(place: 'taken' | 'unknown'): void {
    if (place === 'unknown' && !isPart()) {
      stream()
      return
    }
    reader.stop()
    void reader.read('live')
    reopening = setTimeout(open, POLL_WITHOUT_PLACE_MS)
  }

  function stream(): void {
    closeStream = openStream(url, { onEvent, onDead })
    own = { isHeard: true }
  }

  /** Starts to wait for an event, unless an earlier attempt waits already. Without a stream, there is none. */
  function sending(): void {
    if (own?.isHeard) own = { isHeard: false }
  }

  function recorded(attempt: Pick<Attempt, 'id'>): void {
    setTimeout(reader.readFor, OWN_ATTEMPT_MS, attempt)
    const awaited = own
    if (awaited === null || awaited.isHeard) return
    setTimeout(() => {
      if (own === awaited && !awaited.isHeard) onDead()
    }, OWN_SILENCE_MS)
  }

  function onEvent(parts?: Partial<LiveBodies>): void {
    failures = 0
    if (own !== null) own.isHeard = true
    reader.stop()
    update(state, 'live', parts)
  }

  function onDead(): void {
    close()
    failures += 1
    update(state, statusWithoutStream())
    reader.start()
    void reader.read()
    reopening = setTimeout(open, backoffMs(failures, MAX_PAUSE_MS))
  }

  document.addEventListener('visibilitychange', open)
  globalThis.addEventListener('pagehide', close)
  globalThis.addEventListener('online', open)
  // Leaves the stream open: a server on this machine is reachable even when the browser is offline.
  globalThis.addEventListener('offline', () => update(state, 'offline'))
  open()
  return { ...state, sending, recorded }
}

/** Reads the boards, as long as no stream delivers. */
function createReader(state: Store<LiveState>) {
  let polling: ReturnType<typeof setInterval> | undefined

  /**
   * Reads the boards. Drops the answers when other boards have arrived since, which may be newer.
   *
   * @param status - The status once all boards have been read; if missing, reads do not change the status.
   */
  async function read(status?: LiveStatus): Promise<void> {
    const { parts } = state.get()
    const answers = await Promise.all(LIVE_PARTS.map(part => get(BOARDS[part])))
    if (state.get().parts !== parts) return
    const found = answers.map((answer, index) => (answer.ok ? [[LIVE_PARTS[index], answer.body]] : []))
    const reached = answers.every(({ ok }) => ok) ? status : status && statusWithoutStream()
    update(state, reached ?? state.get().status, Object.fromEntries(found.flat()))
  }

  return {
    read,
    /** Reads the boards unless they have the attempt. */
    readFor({ id }: Pick<Attempt, 'id'>): void {
      const feed = state.get().parts.attempts?.attempts ?? []
      if (!document.hidden && !feed.some(attempt => attempt.id >= id)) void read()
    },
    start(): void {
      polling ??= setInterval(read, POLL_EVERY_MS)
    },
    stop(): void {
      clearInterval(polling)
      polling = undefined
    },
  }
}

function update(state: Store<LiveState>, status: LiveStatus, parts?: Partial<LiveBodies>): void {
  const { parts: last } = state.get()
  state.set({ status, parts: parts ? { ...last, ...parts } : last })
}

function statusWithoutStream(): LiveStatus {
  return navigator.onLine ? 'reconnecting' : 'offline'
}

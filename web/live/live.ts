import type { Attempt } from '../../contract/api.ts'
import type { LiveBodies } from '../../contract/live.ts'
import { createStore, type Store } from '../lib/store.ts'
import { backoffMs } from '../net/retry.ts'
import { createReader, type Reader } from './boards-reader.ts'
import { INITIAL, type LiveState, statusWithoutStream, update } from './live-state.ts'
import { openStream, type Stream } from './live-stream.ts'
import { type Place, type Release, requestPlace } from './stream-place.ts'

export interface Live extends Store<LiveState> {
  /** Notes that the page is about to send the player's own attempt, which an event will follow. */
  sending(): void
  /** Makes the player's own attempt visible, by reading the boards unless the stream brings the attempt. */
  recorded(attempt: Pick<Attempt, 'id'>): void
}

/** The polling interval of a page without a place for a stream; each read tries for a place again. */
export const POLL_WITHOUT_PLACE_MS = 2_000

/** The longest pause before a new stream, because a silent proxy may keep the old streams open. */
const MAX_PAUSE_MS = 60_000

/** The time in which the stream normally brings the player's own attempt. */
export const OWN_ATTEMPT_MS = 1_000

/** Where the stream is, and how a page without a place behaves. */
interface Options {
  readonly url?: string
  /** Returns true for a page that reads where the browser cannot count streams: one of many parts of a board. */
  readonly isPart?: () => boolean
}

/**
 * Watches the live stream, and polls the boards until a stream delivers. What arrives last is shown: numbers of
 * attempts go back after a restore. A hidden tab closes its stream, because browsers allow only six HTTP/1.1
 * connections per host. For the same reason, a page polls while other tabs have all places for streams.
 */
export function watchLive(options: Options = {}): Live {
  const state = createStore(INITIAL)
  const reader = createReader(state)
  const { open, close, stream } = keepStream(state, reader, options)
  document.addEventListener('visibilitychange', open)
  globalThis.addEventListener('pagehide', close)
  globalThis.addEventListener('online', open)
  // Leaves the stream open: a server on this machine is reachable even when the browser is offline.
  globalThis.addEventListener('offline', () => update(state, 'offline'))
  open()
  return {
    ...state,
    sending: () => stream()?.sending(),
    recorded(attempt) {
      setTimeout(reader.readFor, OWN_ATTEMPT_MS, attempt)
      stream()?.recorded()
    },
  }
}

/**
 * Keeps one stream open. A stream that fails or falls silent is replaced, after pauses that grow until an event has
 * arrived.
 */
function keepStream(
  state: Store<LiveState>,
  reader: Reader,
  { url = '/api/live', isPart = () => false }: Options,
) {
  let stream: Stream | null = null
  let releasePlace: Release = () => undefined
  let failures = 0
  let reopening: ReturnType<typeof setTimeout> | undefined

  /** Gives the place back, because a page that holds a lock cannot enter the back/forward cache. */
  function close(): void {
    clearTimeout(reopening)
    stream?.close()
    stream = null
    releasePlace()
  }

  function open(): void {
    close()
    if (document.hidden) {
      reader.stop()
      update(state, 'reconnecting')
      return
    }
    reader.start()
    releasePlace = requestPlace(onPlace)
  }

  function onPlace(place: Place): void {
    if (place === 'own' || (place === 'unknown' && !isPart())) {
      stream = openStream(url, { onEvent, onDead })
      return
    }
    reader.stop()
    void reader.read('live')
    reopening = setTimeout(open, POLL_WITHOUT_PLACE_MS)
  }

  function onEvent(parts?: Partial<LiveBodies>): void {
    failures = 0
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

  return { open, close, stream: () => stream }
}

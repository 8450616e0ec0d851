import type { Attempt } from '../../contract/api.ts'
import type { LiveBodies, LivePart } from '../../contract/live.ts'
import { createStore, type Store } from '../lib/store.ts'
import { backoffMs } from '../net/retry.ts'
import { createReader, type Reader } from './boards-reader.ts'
import { INITIAL, type LiveState, statusWithoutStream, update } from './live-state.ts'
import { openStream, type Stream } from './live-stream.ts'

export interface Live extends Store<LiveState> {
  /** Notes that the page is about to send the player's own attempt, which an event will follow. */
  sending(): void
  /** Makes the player's own attempt visible, by reading the boards unless the stream brings the attempt. */
  recorded(attempt: Pick<Attempt, 'id'>): void
}

/** The interval at which an overlay reads its part. */
export const PART_EVERY_MS = 2_000

/** The longest pause before a new stream, because a silent proxy may keep the old streams open. */
const MAX_PAUSE_MS = 60_000

/** The time in which the stream normally brings the player's own attempt. */
export const OWN_ATTEMPT_MS = 1_000

interface Options {
  readonly url?: string
  /** Returns the parts that a page reads instead of holding a stream; null for a page that streams. */
  readonly partsToRead?: () => readonly LivePart[] | null
}

/**
 * Watches the live stream, and polls the boards until a stream delivers. What arrives last is shown: numbers of
 * attempts go back after a restore. Browsers allow only six HTTP/1.1 connections per host, so a hidden tab closes
 * its stream, and an overlay reads its part instead.
 */
export function watchLive(options: Options = {}): Live {
  const state = createStore(INITIAL)
  const reader = createReader(state)
  const { open, close, followAddress, stream } = keepStream(state, reader, options)
  document.addEventListener('visibilitychange', open)
  globalThis.addEventListener('pagehide', close)
  globalThis.addEventListener('hashchange', followAddress)
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
  { url = '/api/live', partsToRead = () => null }: Options,
) {
  let stream: Stream | null = null
  let failures = 0
  let reopening: ReturnType<typeof setTimeout> | undefined

  function close(): void {
    clearTimeout(reopening)
    stream?.close()
    stream = null
  }

  function open(): void {
    close()
    const parts = partsToRead()
    if (document.hidden || parts !== null) reader.stop()
    if (document.hidden) update(state, 'reconnecting')
    else if (parts !== null) readAndReopen(parts)
    else {
      reader.start()
      stream = openStream(url, { onEvent, onDead })
    }
  }

  /** Gives the stream up when the page becomes an overlay. */
  function followAddress(): void {
    if (stream !== null && partsToRead() !== null) open()
  }

  function readAndReopen(parts: readonly LivePart[]): void {
    void reader.readParts(parts)
    reopening = setTimeout(open, PART_EVERY_MS)
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
    reader.readAll()
    reopening = setTimeout(open, backoffMs(failures, MAX_PAUSE_MS))
  }

  return { open, close, followAddress, stream: () => stream }
}

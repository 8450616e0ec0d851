import type { OutgoingHttpHeader, ServerResponse } from 'node:http'
import { LIVE_PARTS, LIVE_PING, LIVE_PING_MS, type LiveBodies, type LivePing } from '../../contract/live.ts'
import { LIVE_WRITES_PER_SECOND } from '../../contract/rules.ts'
import type { Database } from '../database/connection.ts'
import { Throttle } from '../lib/throttle.ts'
import type { Logger } from '../log.ts'
import type { NameMask } from '../people/names.ts'
import { recentAttempts } from '../play/attempts.ts'
import { leaderboard } from '../play/leaderboard.ts'
import { prizePool } from '../play/prizes.ts'
import { today } from '../play/today.ts'
import type { Counters, DatabasePoller } from './poller.ts'

const TICK_MS = 1_000 / LIVE_WRITES_PER_SECOND
/**
 * The interval at which viewers' parts are read even so: no counter counts refused words, or changes made by
 * hand. With the poll and the read, viewers see such a change within 2 s.
 */
const REREAD_MS = 1_500

/** The most unsent bytes before a stalled viewer loses the stream; the page then opens another. */
const MAX_UNSENT_BYTES = 64 * 1_024

const RETRY_HINT = 'retry: 1000\n\n'

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
  connection: 'close',
}

/** Reads the shared parts of the game once per change, and sends every viewer the same bytes. */
export class Broadcast {
  readonly #database: Database
  readonly #poller: DatabasePoller
  readonly #log: Logger
  readonly #mask: NameMask
  readonly #viewers = new Set<ServerResponse>()
  /** The latest event of each part. */
  #events: readonly string[] = []
  /** All events, for new viewers. */
  #everything = Buffer.from(RETRY_HINT)
  readonly #reader = new Throttle(TICK_MS, () => this.#read())
  readonly #pings = setInterval(() => this.#ping(), LIVE_PING_MS).unref()
  #isClosed = false
  /** The counters before the latest read; null after a failed read. */
  #counters: Counters | null = null
  /** The monotonic time of the latest read, ms. */
  #readAt = Number.NEGATIVE_INFINITY

  constructor(database: Database, poller: DatabasePoller, log: Logger, mask: NameMask) {
    this.#database = database
    this.#poller = poller
    this.#log = log
    this.#mask = mask
    poller.isWatched = () => this.#viewers.size > 0
    poller.on('polled', counters => this.#note(counters))
    // Ends the streams, because a silent stream would look alive.
    poller.on('unavailable', () => this.#endStreams())
  }

  get viewers(): number {
    return this.#viewers.size
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Reads all parts, so that the first viewer finds them ready. */
  async open(): Promise<void> {
    await this.#read()
  }

  /**
   * Opens the live stream of a viewer. The body ends with the connection instead of using chunks, so the same
   * bytes go into every socket.
   *
   * @param headers - The headers that every answer has.
   */
  add(response: ServerResponse, headers: Readonly<Record<string, OutgoingHttpHeader | undefined>>): void {
    response.useChunkedEncodingByDefault = false
    response.writeHead(200, { ...headers, ...HEADERS })
    // Writes bytes, because with a string Node would keep 1 kB of headers per viewer.
    response.write(Buffer.concat([this.#everything, pingBytes()]))
    this.#viewers.add(response)
    // The boards of an idle node are up to a second old.
    if (this.#viewers.size === 1) this.#poller.requestPoll()
    response.on('close', () => this.#viewers.delete(response))
  }

  close(): void {
    this.#isClosed = true
    clearInterval(this.#pings)
    void this.#reader.close()
    this.#endStreams()
  }

  #endStreams(): void {
    for (const viewer of this.#viewers) viewer.destroy()
  }

  /** Stores the counters before the read, so that the next poll notices changes during the read. */
  #note(counters: Counters): void {
    const isDue = this.#viewers.size > 0 && performance.now() - this.#readAt >= REREAD_MS
    if (!isDue && isSame(counters, this.#counters)) return
    this.#counters = counters
    this.#readAt = performance.now()
    this.#reader.ask()
  }

  async #read(): Promise<void> {
    const [database, mask] = [this.#database, this.#mask]
    try {
      const [pool, board, recent, hands] = await Promise.all([
        prizePool(database, mask),
        leaderboard(database, mask),
        recentAttempts(database, mask),
        today(database, mask),
      ])
      this.#show({ prize_pool: pool, leaderboard: board, attempts: recent, today: hands })
    } catch (error) {
      // Makes the next poll read again.
      this.#counters = null
      // Ignores errors of a node that is stopped while starting.
      if (!database.ending) this.#log.warn({ err: error }, 'live data could not be read')
    }
  }

  /** Sends the events that have changed. */
  #show(bodies: LiveBodies): void {
    const events = LIVE_PARTS.map(part => eventOf(part, bodies[part]))
    const changed = events.filter(event => !this.#events.includes(event))
    if (changed.length === 0) return
    this.#events = events
    this.#everything = Buffer.from(RETRY_HINT + events.join(''))
    this.#send(Buffer.from(changed.join('')))
  }

  /** Pings keep proxies from closing a quiet stream, and reveal silent streams and lost viewers. */
  #ping(): void {
    this.#send(pingBytes())
  }

  #send(bytes: Buffer): void {
    for (const { socket } of this.#viewers) {
      if (!socket?.writable) continue
      if (socket.writableLength > MAX_UNSENT_BYTES) socket.destroy()
      else socket.write(bytes)
    }
  }
}

/** Compares counters. Lower counters are a change too, because a restore lowers them. */
function isSame({ attempts, boards }: Counters, other: Counters | null): boolean {
  return attempts === other?.attempts && boards === other.boards
}

function pingBytes(): Buffer {
  const ping: LivePing = { now: new Date().toISOString() }
  return Buffer.from(eventOf(LIVE_PING, ping))
}

function eventOf(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}

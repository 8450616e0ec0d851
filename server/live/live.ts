import type { ServerResponse } from 'node:http'
import { setImmediate as turn } from 'node:timers/promises'
import { LIVE_PARTS, type LiveBodies, type LivePart } from '../../contract/live.ts'
import { LIVE_WRITES_PER_SECOND } from '../../contract/rules.ts'
import type { Database } from '../database/pool.ts'
import { recentAttempts } from '../game/attempts.ts'
import { leaderboard } from '../game/leaderboard.ts'
import { prizePool } from '../game/prizes.ts'
import { Throttle } from '../lib/throttle.ts'
import type { Logger } from '../log.ts'
import type { PubSub } from './pubsub.ts'
import { type AnswerHeaders, Stream } from './stream.ts'

const TICK_MS = 1_000 / LIVE_WRITES_PER_SECOND
/** Keeps proxies from closing a quiet stream, and finds the viewers that are gone. */
const HEARTBEAT_MS = 20_000
/** After a read that failed the parts are read again, this much later. */
const RETRY_MS = 500

/** The browser's own reconnects wait about this long; the page spreads its own further. */
const RETRY_HINT = 'retry: 1000\n\n'

/** Viewers are served for this long before requests get their turn: about 200 of them. */
const SLICE_MS = 2

/** Sends the parts of the game that all viewers see: one read per change, the same bytes for all. */
export class Live {
  readonly #database: Database
  readonly #pubsub: PubSub
  readonly #log: Logger
  readonly #viewers = new Set<Stream>()
  readonly #snapshots = new Map<LivePart, string>()
  /** All snapshots, for a viewer who has just come or has missed some. */
  #everything = Buffer.from(RETRY_HINT)
  readonly #changed = new Set<LivePart>(LIVE_PARTS)
  readonly #reader = new Throttle(TICK_MS, () => this.#read())
  readonly #heartbeat = setInterval(() => this.#beat(), HEARTBEAT_MS).unref()
  #retry: NodeJS.Timeout | undefined
  #closed = false
  /** Monotonic, ms. */
  #sentAt = Number.NEGATIVE_INFINITY

  constructor(database: Database, pubsub: PubSub, log: Logger) {
    this.#database = database
    this.#pubsub = pubsub
    this.#log = log
    pubsub.on('changed', parts => this.#markChanged(parts))
    // A stream that stands still would look alive; one that ends makes the page say "reconnecting".
    pubsub.on('away', () => this.#endStreams())
  }

  get viewers(): number {
    return this.#viewers.size
  }

  /** Reads everything once, so that the first viewer finds it ready. */
  async open(): Promise<void> {
    await this.#read()
  }

  /** False while the database is away and nothing would be seen, and once nobody would end a stream any more. */
  get ready(): boolean {
    return this.#pubsub.listening && !this.#closed
  }

  /** Takes over a response, with the headers of every answer, and streams to it until either side ends it. */
  add(response: ServerResponse, headers: AnswerHeaders): void {
    const stream = new Stream(response, headers, this.#everything)
    this.#viewers.add(stream)
    response.on('close', () => this.#viewers.delete(stream))
  }

  /** Ends every stream. */
  close(): void {
    this.#closed = true
    clearInterval(this.#heartbeat)
    clearTimeout(this.#retry)
    void this.#reader.close()
    this.#endStreams()
  }

  #endStreams(): void {
    for (const viewer of this.#viewers) viewer.end()
    // A write after the end would be an error that is caught nowhere.
    this.#viewers.clear()
  }

  #markChanged(parts: readonly LivePart[]): void {
    for (const part of parts) this.#changed.add(part)
    this.#reader.ask()
  }

  async #read(): Promise<void> {
    const parts = [...this.#changed]
    this.#changed.clear()
    try {
      const bodies = await Promise.all(parts.map(part => this.#readBody(part)))
      await this.#send(parts.map((part, place) => this.#renew(part, bodies[place])).join(''))
    } catch (error) {
      // A node that is told to stop while it starts.
      if (this.#database.ending) return
      this.#log.warn({ err: error }, 'the live parts could not be read')
      for (const part of parts) this.#changed.add(part)
      clearTimeout(this.#retry)
      this.#retry = setTimeout(() => this.#reader.ask(), RETRY_MS).unref()
    }
  }

  /** The event of a part, or nothing when it reads the same as before. */
  #renew(part: LivePart, body: unknown): string {
    const event = `event: ${part}\ndata: ${JSON.stringify(body)}\n\n`
    if (this.#snapshots.get(part) === event) return ''
    this.#snapshots.set(part, event)
    return event
  }

  #readBody(part: LivePart): Promise<LiveBodies[LivePart]> {
    if (part === 'prize_pool') return prizePool(this.#database)
    if (part === 'leaderboard') return leaderboard(this.#database)
    return recentAttempts(this.#database)
  }

  async #send(events: string): Promise<void> {
    if (events === '') return
    const bytes = Buffer.from(events)
    this.#everything = Buffer.from(RETRY_HINT + [...this.#snapshots.values()].join(''))
    this.#sentAt = performance.now()
    await this.#eachViewer(viewer => viewer.send(bytes, this.#everything))
  }

  #beat(): void {
    const quiet = performance.now() - this.#sentAt >= HEARTBEAT_MS
    void this.#eachViewer(viewer => viewer.beat(quiet, this.#everything))
  }

  /**
   * In slices: 4,000 viewers in one go kept one request in a hundred waiting for 300 ms, slices for 95. Where requests
   * take all the time there is, a slice gets as much as they have just had, so that neither starves the other.
   */
  async #eachViewer(act: (viewer: Stream) => void): Promise<void> {
    let until = performance.now() + SLICE_MS
    for (const viewer of this.#viewers) {
      act(viewer)
      const stoppedAt = performance.now()
      if (stoppedAt < until) continue
      await turn()
      const goesOnAt = performance.now()
      until = goesOnAt + Math.max(SLICE_MS, goesOnAt - stoppedAt)
    }
  }
}

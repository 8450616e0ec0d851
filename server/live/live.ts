import type { ServerResponse } from 'node:http'
import { setImmediate as turn } from 'node:timers/promises'
import { LIVE_PARTS, type LiveBodies, type LivePart } from '../../contract/live.ts'
import { LIVE_WRITES_PER_SECOND } from '../../contract/rules.ts'
import type { Counters, Heartbeat } from '../database/heartbeat.ts'
import type { Database } from '../database/pool.ts'
import { recentAttempts } from '../game/attempts.ts'
import { leaderboard } from '../game/leaderboard.ts'
import { prizePool } from '../game/prizes.ts'
import { Throttle } from '../lib/throttle.ts'
import type { Logger } from '../log.ts'
import { type AnswerHeaders, Stream } from './stream.ts'

const TICK_MS = 1_000 / LIVE_WRITES_PER_SECOND
/** Keeps proxies from closing a quiet stream, and finds the viewers that are gone. */
const PING_MS = 20_000
/** Everything is read again after this: what somebody changed by hand is counted nowhere. */
const EVERYTHING_MS = 10_000
/** After a read that failed the parts are read again, this much later. */
const RETRY_MS = 500

/** The browser's own reconnects wait about this long; the page spreads its own further. */
const RETRY_HINT = 'retry: 1000\n\n'

/** Viewers are served for this long before requests get their turn: about 200 of them. */
const SLICE_MS = 2

/** Sends the parts of the game that all viewers see: one read per change, the same bytes for all. */
export class Live {
  readonly #database: Database
  readonly #heartbeat: Heartbeat
  readonly #log: Logger
  readonly #viewers = new Set<Stream>()
  readonly #snapshots = new Map<LivePart, string>()
  /** All snapshots, for a viewer who has just come or has missed some. */
  #everything = Buffer.from(RETRY_HINT)
  readonly #changed = new Set<LivePart>(LIVE_PARTS)
  readonly #reader = new Throttle(TICK_MS, () => this.#read())
  readonly #pings = setInterval(() => this.#ping(), PING_MS).unref()
  #retry: NodeJS.Timeout | undefined
  #closed = false
  /** Monotonic, ms. */
  #sentAt = Number.NEGATIVE_INFINITY
  /** The counters that the snapshots go by, or that are read for now. */
  #counters: Counters | null = null
  /** When everything was last read, monotonic, ms. */
  #everythingAt = Number.NEGATIVE_INFINITY

  constructor(database: Database, heartbeat: Heartbeat, log: Logger) {
    this.#database = database
    this.#heartbeat = heartbeat
    this.#log = log
    heartbeat.on('beat', counters => this.#note(counters))
    // A stream that stands still would look alive; one that ends makes the page say "reconnecting".
    heartbeat.on('away', () => this.#endStreams())
  }

  get viewers(): number {
    return this.#viewers.size
  }

  /** Reads everything once, so that the first viewer finds it ready. */
  async open(): Promise<void> {
    await this.#read()
  }

  /** False while the database is away or not believed yet, and once nobody would end a stream any more. */
  get ready(): boolean {
    return !this.#closed && !this.#heartbeat.outage.isInDoubt(performance.now())
  }

  /** Takes over a response, with the headers of every answer, and streams to it until either side ends it. */
  add(response: ServerResponse, headers: AnswerHeaders): void {
    const stream = new Stream(response, headers, this.#everything)
    this.#viewers.add(stream)
    const unwatch = this.#heartbeat.watch()
    response.on('close', () => {
      this.#viewers.delete(stream)
      unwatch()
    })
  }

  /** Ends every stream. */
  close(): void {
    this.#closed = true
    clearInterval(this.#pings)
    clearTimeout(this.#retry)
    void this.#reader.close()
    this.#endStreams()
  }

  #endStreams(): void {
    for (const viewer of this.#viewers) viewer.end()
    // A write after the end would be an error that is caught nowhere.
    this.#viewers.clear()
  }

  /** Notes what has changed before it is read: what changes while it is read is seen at the next beat. */
  #note(counters: Counters): void {
    const parts = this.#changedParts(counters)
    this.#counters = counters
    if (parts.length === 0) return
    for (const part of parts) this.#changed.add(part)
    this.#reader.ask()
  }

  /** By ≠: a backup that was restored counts less than what was there before it. */
  #changedParts({ attempts, boards }: Counters): readonly LivePart[] {
    const now = performance.now()
    if (boards !== this.#counters?.boards || now - this.#everythingAt >= EVERYTHING_MS) {
      this.#everythingAt = now
      return LIVE_PARTS
    }
    return attempts === this.#counters.attempts ? [] : ['prize_pool', 'attempts']
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

  #ping(): void {
    const quiet = performance.now() - this.#sentAt >= PING_MS
    void this.#eachViewer(viewer => viewer.ping(quiet, this.#everything))
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

import type { ServerResponse } from 'node:http'
import {
  LIVE_PARTS,
  LIVE_PING,
  LIVE_PING_MS,
  type LiveBodies,
  type LivePart,
  type LivePing,
} from '../../contract/live.ts'
import { LIVE_WRITES_PER_SECOND } from '../../contract/rules.ts'
import type { Database } from '../database/connection.ts'
import { Throttle } from '../lib/throttle.ts'
import type { Logger } from '../log.ts'
import type { NameMask } from '../people/refused-names.ts'
import { recentAttempts } from '../play/attempts.ts'
import { leaderboard } from '../play/leaderboard.ts'
import { prizePool } from '../play/prizes.ts'
import type { Counters, DatabasePoller } from './poller.ts'
import { type AnswerHeaders, Stream } from './stream.ts'

const TICK_MS = 1_000 / LIVE_WRITES_PER_SECOND
/** The interval at which all parts are read again, because no counter counts changes made by hand. */
const EVERYTHING_MS = 10_000

const RETRY_HINT = 'retry: 1000\n\n'

/** Reads the shared parts of the game once per change, and sends every viewer the same bytes. */
export class Broadcast {
  readonly #database: Database
  readonly #poller: DatabasePoller
  readonly #log: Logger
  readonly #mask: NameMask
  readonly #viewers = new Set<Stream>()
  readonly #snapshots = new Map<LivePart, string>()
  /** All events, for viewers who are new or have missed events. */
  #everything = Buffer.from(RETRY_HINT)
  readonly #changed = new Set<LivePart>(LIVE_PARTS)
  readonly #reader = new Throttle(TICK_MS, () => this.#read())
  readonly #pings = setInterval(() => this.#ping(), LIVE_PING_MS).unref()
  #closed = false
  /** The counters of the latest read, finished or in progress. */
  #counters: Counters | null = null
  /** The monotonic time of the last read of all parts, ms. */
  #everythingAt = Number.NEGATIVE_INFINITY

  constructor(database: Database, poller: DatabasePoller, log: Logger, mask: NameMask) {
    this.#database = database
    this.#poller = poller
    this.#log = log
    this.#mask = mask
    poller.on('polled', counters => this.#note(counters))
    // Ends the streams, because a silent stream would look alive.
    poller.on('unavailable', () => this.#endStreams())
  }

  get viewers(): number {
    return this.#viewers.size
  }

  /** Reads all parts, so that the first viewer finds them ready. */
  async open(): Promise<void> {
    await this.#read()
  }

  /** Whether viewers may connect: false while the database is in doubt, and after `close`. */
  get ready(): boolean {
    return !this.#closed && !this.#poller.health.isInDoubt(performance.now())
  }

  add(response: ServerResponse, headers: AnswerHeaders): void {
    const stream = new Stream(response, headers, this.#everything)
    this.#viewers.add(stream)
    const unwatch = this.#poller.watch()
    response.on('close', () => {
      this.#viewers.delete(stream)
      unwatch()
    })
  }

  /** Reads all parts again, for a change that no counter shows. */
  renew(): void {
    for (const part of LIVE_PARTS) this.#changed.add(part)
    this.#reader.ask()
  }

  close(): void {
    this.#closed = true
    clearInterval(this.#pings)
    void this.#reader.close()
    this.#endStreams()
  }

  #endStreams(): void {
    for (const viewer of this.#viewers) viewer.end()
    // Forgets the viewers, because a write after the end would raise an uncaught error.
    this.#viewers.clear()
  }

  /** Stores the counters before the read, so that the next poll notices changes during the read. */
  #note(counters: Counters): void {
    for (const part of this.#changedParts(counters)) this.#changed.add(part)
    this.#counters = counters
    // Also after a failed read, whose parts have stayed.
    if (this.#changed.size > 0) this.#reader.ask()
  }

  /** Returns the parts to read again. Lower counters are a change too, because a restore lowers them. */
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
      this.#send(parts.map((part, place) => this.#renew(part, bodies[place])).join(''))
    } catch (error) {
      // Ignores errors of a node that is stopped while starting.
      if (this.#database.ending) return
      this.#log.warn({ err: error }, 'live data could not be read')
      for (const part of parts) this.#changed.add(part)
    }
  }

  /** Stores a part's event. Returns the event, or an empty string when the event is unchanged. */
  #renew(part: LivePart, body: unknown): string {
    const event = eventOf(part, body)
    if (this.#snapshots.get(part) === event) return ''
    this.#snapshots.set(part, event)
    return event
  }

  #readBody(part: LivePart): Promise<LiveBodies[LivePart]> {
    if (part === 'prize_pool') return prizePool(this.#database, this.#mask)
    if (part === 'leaderboard') return leaderboard(this.#database, this.#mask)
    return recentAttempts(this.#database, this.#mask)
  }

  #send(events: string): void {
    if (events === '') return
    const bytes = Buffer.from(events)
    this.#everything = Buffer.from(RETRY_HINT + [...this.#snapshots.values()].join(''))
    for (const viewer of this.#viewers) viewer.send(bytes, this.#everything)
  }

  /** Pings keep proxies from closing a quiet stream, and reveal silent streams and lost viewers. */
  #ping(): void {
    const ping: LivePing = { now: new Date().toISOString() }
    const bytes = Buffer.from(eventOf(LIVE_PING, ping))
    for (const viewer of this.#viewers) viewer.ping(bytes, this.#everything)
  }
}

function eventOf(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}

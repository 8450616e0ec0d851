import { EventEmitter } from 'node:events'
import pg from 'pg'
import { shared } from '../lib/batch.ts'
import { Throttle } from '../lib/throttle.ts'
import type { Logger } from '../log.ts'
import { DatabaseClock } from './clock.ts'
import { OUTAGE_MS, Outage } from './outage.ts'
import { type Connection, clientConfig } from './pool.ts'

/** Between two beats while somebody looks, ms. */
const WATCHED_MS = 100
/** Between two beats while nobody does, ms. */
const IDLE_MS = 1_000
/** After a beat that failed, ms. */
const RETRY_MS = 500
/** A connection, and a read, is given up after this, ms. */
const GIVE_UP_MS = 1_000

const READ = `
  select attempts, boards, extract(epoch from clock_timestamp())::float8 * 1000 as "databaseMs" from prize_pool`

/** The counters of the pool's row. They only grow, but for a backup that is restored. */
export interface Counters {
  /** Attempts recorded. */
  readonly attempts: number
  /** Other acts that changed what viewers see. */
  readonly boards: number
}

interface HeartbeatEvents {
  /** The database has answered. */
  beat: [counters: Counters]
  /** It has not answered for 5 s. */
  away: []
}

/**
 * Reads the pool's row and the database's clock again and again, over a connection of its own. From this one read follow
 * what changed, what time it is, and whether the database is there.
 */
export class Heartbeat extends EventEmitter<HeartbeatEvents> {
  readonly clock: DatabaseClock
  readonly outage = new Outage()
  readonly #connection: Connection
  readonly #log: Logger
  #client: pg.Client | undefined
  #watchers = 0
  #isFailing = false
  #isClosed = false
  #next: NodeJS.Timeout | undefined
  #silence: NodeJS.Timeout | undefined
  readonly #afterCommits = new Throttle(WATCHED_MS, async () => {
    await this.beat().catch(() => undefined)
  })

  /**
   * Reads now. One read is under way at a time: those who ask meanwhile share the next one.
   *
   * @throws the database's error
   */
  readonly beat = shared(() => this.#beat())

  constructor(connection: Connection, log: Logger) {
    super()
    this.#connection = connection
    this.#log = log
    this.clock = new DatabaseClock(ms => {
      log.warn(
        `the database's clock has jumped by ${ms} ms against this machine's; rounds go by it from now on`,
      )
    })
  }

  /** Begins to beat, through every outage of the database. Resolves after the first beat or the first failure. */
  async open(): Promise<void> {
    this.#silence = setTimeout(() => this.emit('away'), OUTAGE_MS).unref()
    await this.beat().catch(() => undefined)
  }

  /** Somebody looks from now on, until the function that this returns is called. */
  watch(): () => void {
    this.#watchers += 1
    if (this.#watchers === 1) this.ask()
    return () => {
      this.#watchers -= 1
    }
  }

  /** Has what this node has committed seen at once; several commits within a tenth of a second cost one beat more. */
  ask(): void {
    this.#afterCommits.ask()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#next)
    clearTimeout(this.#silence)
    await this.#afterCommits.close()
    // The read that is under way comes first.
    await this.beat().catch(() => undefined)
    await this.#client?.end().catch(() => undefined)
  }

  async #beat(): Promise<Counters> {
    try {
      const counters = await this.#read()
      this.outage.beat(performance.now())
      this.#silence?.refresh()
      if (this.#isFailing) this.#log.info({ back: true }, 'the database is back')
      this.#isFailing = false
      this.emit('beat', counters)
      return counters
    } catch (error) {
      this.#fail(error)
      throw error
    } finally {
      this.#beatAgain()
    }
  }

  async #read(): Promise<Counters> {
    if (this.#isClosed) throw new Error('The heartbeat has ended')
    this.#client ??= await this.#connect()
    const client = this.#client
    const askedAt = performance.now()
    const { rows } = await client.query<Counters & { databaseMs: number }>(READ)
    const [row] = rows
    if (!row) throw new Error('The pool has no row')
    this.clock.note({ askedAt, answeredAt: performance.now(), databaseMs: row.databaseMs })
    return row
  }

  async #connect(): Promise<pg.Client> {
    const limits = { connectionTimeoutMillis: GIVE_UP_MS, query_timeout: GIVE_UP_MS }
    const client = new pg.Client({ ...clientConfig(this.#connection), ...limits })
    // A connection that is lost between two beats is made anew for the next.
    client.on('error', () => this.#drop(client))
    client.on('end', () => this.#drop(client))
    await client.connect()
    return client
  }

  #drop(client: pg.Client): void {
    if (this.#client === client) this.#client = undefined
  }

  #fail(error: unknown): void {
    const client = this.#client
    if (this.#isClosed) return
    this.#client = undefined
    void client?.end().catch(() => undefined)
    this.#log.warn({ err: error }, 'the heartbeat of the database has failed')
    this.#isFailing = true
  }

  #beatAgain(): void {
    clearTimeout(this.#next)
    if (this.#isClosed) return
    const restMs = this.#watchers > 0 ? WATCHED_MS : IDLE_MS
    this.#next = setTimeout(
      () => void this.beat().catch(() => undefined),
      this.#isFailing ? RETRY_MS : restMs,
    )
  }
}

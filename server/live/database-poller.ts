import { EventEmitter } from 'node:events'
import pg from 'pg'
import { shared } from '../lib/batch.ts'
import { Throttle } from '../lib/throttle.ts'
import type { Logger } from '../log.ts'
import { IS_BACK } from '../database/outage-log.ts'
import { DatabaseClock } from '../database/clock.ts'
import { OUTAGE_MS, Outage } from '../database/outage.ts'
import { type Connection, clientConfig } from '../database/pool.ts'

/** Between two beats while there are viewers, ms. */
const WATCHED_MS = 100
/** Between two beats while there are none, ms. */
const IDLE_MS = 1_000
/** After a beat that failed, ms. */
const RETRY_MS = 500
/** How long connecting and reading may take, ms. */
const TIMEOUT_MS = 1_000

const READ = `
  select attempts, boards, extract(epoch from clock_timestamp()) * 1000 as "databaseMs" from prize_pool`

/** The counters in the pool's row. They only grow, except when a backup is restored. */
export interface Counters {
  /** Attempts recorded. */
  readonly attempts: number
  /** Other changes of what viewers see. */
  readonly boards: number
}

interface HeartbeatEvents {
  /** The database has answered. */
  beat: [counters: Counters]
  /** It has not answered for 5 s. */
  away: []
}

/**
 * Reads the pool's row and the database's clock again and again, over a connection of its own. This one read tells what has
 * changed, what time it is, and whether the database is there.
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
   * Reads now. One read is under way at a time; callers that arrive meanwhile share the next one.
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

  /** Starts beating, through every outage. Resolves after the first beat or the first failure. */
  async open(): Promise<void> {
    this.#silence = setTimeout(() => this.emit('away'), OUTAGE_MS).unref()
    await this.#goOn()
  }

  /** Counts a viewer, until the returned function is called. */
  watch(): () => void {
    this.#watchers += 1
    if (this.#watchers === 1) this.ask()
    return () => {
      this.#watchers -= 1
    }
  }

  /** Beats soon after a commit of this node; several commits within a tenth of a second share one beat. */
  ask(): void {
    this.#afterCommits.ask()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#next)
    clearTimeout(this.#silence)
    await this.#afterCommits.close()
    // Waits for the read under way.
    await this.beat().catch(() => undefined)
    await this.#client?.end().catch(() => undefined)
  }

  /** Beats; schedules the next one also when this was given up before it began, as after a stall of the process. */
  async #goOn(): Promise<void> {
    await this.beat().catch(() => this.#schedule())
  }

  async #beat(): Promise<Counters> {
    try {
      const counters = await this.#read()
      this.outage.beat(performance.now())
      this.#silence?.refresh()
      if (this.#isFailing) this.#log.info(IS_BACK)
      this.#isFailing = false
      this.emit('beat', counters)
      return counters
    } catch (error) {
      this.#fail(error)
      throw error
    } finally {
      this.#schedule()
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
    const limits = { connectionTimeoutMillis: TIMEOUT_MS, query_timeout: TIMEOUT_MS }
    const client = new pg.Client({ ...clientConfig(this.#connection), ...limits })
    // Lost between two beats: the next one reconnects.
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

  #schedule(): void {
    clearTimeout(this.#next)
    if (this.#isClosed) return
    const restMs = this.#watchers > 0 ? WATCHED_MS : IDLE_MS
    this.#next = setTimeout(() => void this.#goOn(), this.#isFailing ? RETRY_MS : restMs)
  }
}

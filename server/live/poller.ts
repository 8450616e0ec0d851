import { EventEmitter } from 'node:events'
import pg from 'pg'
import { type Connection, clientConfig } from '../database/connection.ts'
import { shared } from '../lib/batch.ts'
import { Throttle } from '../lib/throttle.ts'
import type { Logger } from '../log.ts'
import { DatabaseHealth } from './readiness.ts'

const WATCHED_MS = 100
const IDLE_MS = 1_000
const RETRY_MS = 500
const TIMEOUT_MS = 1_000

const READ = 'select attempts, boards from prize_pool'

/** The counters in the pool's row. They only grow, except when a backup is restored. */
export interface Counters {
  readonly attempts: number
  /** Counts all other changes that viewers see. */
  readonly boards: number
}

interface PollerEvents {
  polled: [counters: Counters]
  /** Emitted when the database answers again after a failed poll. */
  recovered: []
  /** Emitted for each failed poll while the database counts as unavailable. */
  unavailable: []
}

/** Polls the pool's row over its own connection. */
export class DatabasePoller extends EventEmitter<PollerEvents> {
  readonly health = new DatabaseHealth()
  readonly #connection: Connection
  readonly #log: Logger
  #client: pg.Client | undefined
  #watchers = 0
  #isFailing = false
  #isClosed = false
  #next: NodeJS.Timeout | undefined
  readonly #requested = new Throttle(WATCHED_MS, async () => {
    await this.poll().catch(() => undefined)
  })

  /**
   * Polls now. Callers that arrive during a poll share the next poll.
   *
   * @throws the database's error
   */
  readonly poll = shared(() => this.#poll())

  constructor(connection: Connection, log: Logger) {
    super()
    this.#connection = connection
    this.#log = log
  }

  /** Starts polling. Resolves after the first answer or the first failure. */
  async open(): Promise<void> {
    await this.#goOn()
  }

  /** Counts one more viewer until the returned function is called. */
  watch(): () => void {
    this.#watchers += 1
    if (this.#watchers === 1) this.requestPoll()
    return () => {
      this.#watchers -= 1
    }
  }

  /** Polls soon; requests within 100 ms share one poll. */
  requestPoll(): void {
    this.#requested.ask()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#next)
    await this.#requested.close()
    await this.poll().catch(() => undefined)
    await this.#client?.end().catch(() => undefined)
  }

  /** Polls, and schedules the next poll even after a failure. */
  async #goOn(): Promise<void> {
    await this.poll().catch(() => this.#schedule())
  }

  async #poll(): Promise<Counters> {
    try {
      const counters = await this.#read()
      this.health.answered(performance.now())
      if (this.#isFailing) this.#recover()
      this.emit('polled', counters)
      return counters
    } catch (error) {
      this.#fail(error)
      throw error
    } finally {
      this.#schedule()
    }
  }

  async #read(): Promise<Counters> {
    if (this.#isClosed) throw new Error('The poller is closed')
    this.#client ??= await this.#connect()
    const { rows } = await this.#client.query<Counters>(READ)
    const [row] = rows
    if (!row) throw new Error('The pool has no row')
    return row
  }

  async #connect(): Promise<pg.Client> {
    const limits = { connectionTimeoutMillis: TIMEOUT_MS, query_timeout: TIMEOUT_MS }
    const client = new pg.Client({ ...clientConfig(this.#connection), ...limits })
    // Forgets a connection that was lost between two polls, so that the next poll reconnects.
    client.on('error', () => this.#drop(client))
    client.on('end', () => this.#drop(client))
    await client.connect()
    return client
  }

  #drop(client: pg.Client): void {
    if (this.#client === client) this.#client = undefined
  }

  #recover(): void {
    this.#isFailing = false
    this.#log.info('the database is back')
    this.emit('recovered')
  }

  #fail(error: unknown): void {
    const client = this.#client
    if (this.#isClosed) return
    this.#client = undefined
    void client?.end().catch(() => undefined)
    this.#log.warn({ err: error }, 'database poll failed')
    this.#isFailing = true
    if (this.health.isUnavailable(performance.now())) this.emit('unavailable')
  }

  #schedule(): void {
    clearTimeout(this.#next)
    if (this.#isClosed) return
    const restMs = this.#watchers > 0 ? WATCHED_MS : IDLE_MS
    this.#next = setTimeout(() => void this.#goOn(), this.#isFailing ? RETRY_MS : restMs)
  }
}

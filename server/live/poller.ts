import { EventEmitter } from 'node:events'
import pg from 'pg'
import { type Connection, clientConfig } from '../database/connection.ts'
import { Throttle } from '../lib/throttle.ts'
import type { Logger } from '../log.ts'
import type { Readiness } from './readiness.ts'

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
  /** Whether there are viewers, who see a change within 100 ms. */
  isWatched = () => false
  readonly #pool: pg.Pool
  readonly #readiness: Readiness
  readonly #log: Logger
  readonly #polls = new Throttle(WATCHED_MS, () => this.#poll())
  #isFailing = false
  #next: NodeJS.Timeout | undefined

  constructor(connection: Connection, readiness: Readiness, log: Logger) {
    super()
    const limits = { max: 1, connectionTimeoutMillis: TIMEOUT_MS, query_timeout: TIMEOUT_MS }
    this.#pool = new pg.Pool({ ...clientConfig(connection), ...limits })
    // Ignores a connection that is lost between two polls, because the next poll reconnects.
    this.#pool.on('error', () => undefined)
    this.#readiness = readiness
    this.#log = log
  }

  /** Starts polling. Resolves after the first answer or the first failure. */
  async open(): Promise<void> {
    await this.#poll()
  }

  /** Polls soon; requests within 100 ms share one poll. */
  requestPoll(): void {
    this.#polls.ask()
  }

  async close(): Promise<void> {
    clearTimeout(this.#next)
    await Promise.all([this.#polls.close(), this.#pool.end()])
  }

  async #poll(): Promise<void> {
    clearTimeout(this.#next)
    try {
      const { rows } = await this.#pool.query<Counters>(READ)
      const [row] = rows
      if (!row) throw new Error('The pool has no row')
      this.#take(row)
    } catch (error) {
      this.#fail(error)
    }
    if (this.#pool.ending) return
    const restMs = this.isWatched() ? WATCHED_MS : IDLE_MS
    this.#next = setTimeout(() => this.requestPoll(), this.#isFailing ? RETRY_MS : restMs)
  }

  #take(counters: Counters): void {
    this.#readiness.answered()
    if (this.#isFailing) {
      this.#isFailing = false
      this.#log.info('the database is back')
      this.emit('recovered')
    }
    this.emit('polled', counters)
  }

  #fail(error: unknown): void {
    if (this.#pool.ending) return
    this.#isFailing = true
    this.#log.warn({ err: error }, 'database poll failed')
    if (this.#readiness.isUnavailable) this.emit('unavailable')
  }
}

import { EventEmitter, once } from 'node:events'
import type pg from 'pg'
import { type Connection, openPool } from '../database/connection.ts'
import { OutageError } from '../database/outage.ts'
import { Throttle } from '../lib/throttle.ts'
import type { Logger } from '../log.ts'
import type { Readiness } from './readiness.ts'

const WATCHED_MS = 100
const IDLE_MS = 1_000
const RETRY_MS = 500
const TIMEOUT_MS = 1_000
/** The time that a start waits for the first answer. */
const OPEN_TIMEOUT_MS = 10_000

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
  /** The error of the latest poll, if it failed. */
  #failure: OutageError | null = null
  /** Whether a poll has succeeded; until then, `open` reports failures. */
  #isOpen = false
  #next: NodeJS.Timeout | undefined

  constructor(connection: Connection, readiness: Readiness, log: Logger) {
    super()
    const limits = { max: 1, connectionTimeoutMillis: TIMEOUT_MS, query_timeout: TIMEOUT_MS }
    this.#pool = openPool(connection, limits)
    // Ignores a connection that is lost between two polls, because the next poll reconnects.
    this.#pool.on('error', () => undefined)
    this.#readiness = readiness
    this.#log = log
  }

  /**
   * Starts polling. Resolves after the first answer.
   *
   * @throws {OutageError} when the database has not answered within 10 s
   */
  async open(): Promise<void> {
    await this.#poll()
    if (this.#failure) await this.#firstAnswer()
    this.#isOpen = true
  }

  /** Polls soon; requests within 100 ms share one poll. */
  requestPoll(): void {
    this.#polls.ask()
  }

  async close(): Promise<void> {
    clearTimeout(this.#next)
    await Promise.all([this.#polls.close(), this.#pool.end()])
  }

  async #firstAnswer(): Promise<void> {
    const signal = AbortSignal.timeout(OPEN_TIMEOUT_MS)
    await once(this, 'polled', { signal }).catch(() => {
      throw this.#failure
    })
  }

  async #read(): Promise<Counters> {
    const { rows } = await this.#pool.query<Counters>(READ)
    const [row] = rows
    if (!row) throw new Error('The pool has no row')
    return row
  }

  async #poll(): Promise<void> {
    clearTimeout(this.#next)
    await this.#read().then(
      counters => this.#take(counters),
      error => this.#fail(error),
    )
    if (this.#pool.ending) return
    const restMs = this.isWatched() ? WATCHED_MS : IDLE_MS
    this.#next = setTimeout(() => this.requestPoll(), this.#failure ? RETRY_MS : restMs)
  }

  #take(counters: Counters): void {
    this.#readiness.answered()
    if (this.#failure) {
      this.#failure = null
      if (this.#isOpen) this.#log.info('the database is back')
      this.emit('recovered')
    }
    this.emit('polled', counters)
  }

  /** Takes any failure for an outage, because the game needs this row for everything. */
  #fail(error: unknown): void {
    if (this.#pool.ending) return
    this.#failure = new OutageError(error)
    if (this.#isOpen) this.#log.warn({ err: this.#failure }, 'database poll failed')
    if (this.#readiness.isUnavailable) this.emit('unavailable')
  }
}

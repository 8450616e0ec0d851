import type pg from 'pg'
import { withClient } from '../database/client.ts'
import type { Connection } from '../database/pool.ts'
import { repeat } from '../lib/repeat.ts'
import type { Logger } from '../log.ts'
import { checkLedger } from './ledger.ts'

/** Not while a start has everything else to do. */
const FIRST_MS = 1_000
const INTERVAL_MS = 60_000
/**
 * A check of the ledger is three statements that read all attempts and prizes: for a million attempts 5 s on two busy
 * cores. With the pauses of `repeat` one that takes all this time comes back after half a day.
 */
const LIMITS = { query_timeout: 300_000 } as const

/** By an index. A backup that never was is infinitely old, above any limit. */
const BACKUP_AGE = `
  select coalesce(
    extract(epoch from now() - (select created_at from operator_acts where act = 'backup' order by id desc limit 1)),
    'infinity'
  )::float8 as age`

/** What was found, all of it not a number before the first look. */
interface Found {
  readonly ok: number
  readonly pool: number
  readonly held: number
  readonly balances: number
  readonly backupAge: number
}

/**
 * What operators watch of the database, the law of the ledger first of all, looked at each minute over a connection of its
 * own, so that nobody who asks for the figures waits for it, nor anybody who plays. While the database is away things stay
 * as they were.
 */
export class Figures {
  readonly #connection: Connection
  readonly #log: Pick<Logger, 'error'>
  #stop = () => Promise.resolve()
  #client: pg.Client | undefined
  #closed = false
  #looking: Promise<void> | undefined
  #found: Found = {
    ok: Number.NaN,
    pool: Number.NaN,
    held: Number.NaN,
    balances: Number.NaN,
    backupAge: Number.NaN,
  }
  /** Monotonic, ms; the opening counts until the first look has ended. */
  #foundAt = performance.now()

  constructor(connection: Connection, log: Pick<Logger, 'error'>) {
    this.#connection = connection
    this.#log = log
  }

  /** What the last look found: TAPS, 1 or 0 for a sound ledger, and seconds, which go on. */
  get latest(): Found {
    return { ...this.#found, backupAge: this.#found.backupAge + this.age }
  }

  /** Since the last look that came to an end, seconds. */
  get age(): number {
    return (performance.now() - this.#foundAt) / 1_000
  }

  /** Looks from now on. */
  begin(): void {
    this.#stop = repeat(FIRST_MS, INTERVAL_MS, () => this.look())
  }

  /** Looks now, or waits for the look under way. */
  look(): Promise<void> {
    this.#looking ??= withClient(this.#connection, client => this.#lookOver(client), LIMITS)
      // The age of the last one says so.
      .catch(() => undefined)
      .finally(() => {
        this.#looking = undefined
      })
    return this.#looking
  }

  /** Ends the look under way, too. */
  async close(): Promise<void> {
    this.#closed = true
    const stopped = this.#stop()
    await this.#client?.end()
    await stopped
  }

  /** One that is closed while it connects has nobody to answer to. */
  async #lookOver(client: pg.Client): Promise<void> {
    if (this.#closed) return
    this.#client = client
    await client.query(`set statement_timeout = ${LIMITS.query_timeout}`)
    const { rows } = await client.query<{ age: number }>(BACKUP_AGE)
    const { ok, pool, held, balances } = await checkLedger(client)
    this.#found = { ok: Number(ok), pool, held, balances, backupAge: rows[0]?.age ?? Number.NaN }
    this.#foundAt = performance.now()
    if (!ok) this.#log.error('the law of the ledger does not hold: ./taps ledger says where')
  }
}

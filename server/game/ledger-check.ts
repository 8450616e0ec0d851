import pg from 'pg'
import { type Connection, clientConfig } from '../database/pool.ts'
import { repeat } from '../lib/repeat.ts'
import type { Logger } from '../log.ts'
import { checkLedger } from './ledger.ts'

/** Not while a start has everything else to do. */
const FIRST_MS = 1_000
const INTERVAL_MS = 60_000
/**
 * A check is three statements that read all attempts and prizes: for a million attempts 5 s on two busy cores. With the
 * pauses of `repeat` one that takes all this time comes back after half a day.
 */
const STATEMENT_TIMEOUT_MS = 300_000

/**
 * Checks the law of the ledger now and then, over a connection of its own, so that nobody who asks for the figures waits
 * for it, nor anybody who plays.
 */
export class LedgerCheck {
  readonly #connection: Connection
  readonly #log: Pick<Logger, 'error'>
  #stop = () => Promise.resolve()
  #client: pg.Client | undefined
  #checking: Promise<void> | undefined
  #sound: boolean | null = null
  /** Monotonic, ms; the opening counts until the first check has ended. */
  #checkedAt = performance.now()

  constructor(connection: Connection, log: Pick<Logger, 'error'>) {
    this.#connection = connection
    this.#log = log
  }

  /** Whether the last check found all as it must be; null before the first. */
  get sound(): boolean | null {
    return this.#sound
  }

  /** Since the last check that came to an end, seconds. */
  get age(): number {
    return (performance.now() - this.#checkedAt) / 1_000
  }

  /** Checks from now on. */
  begin(): void {
    this.#stop = repeat(FIRST_MS, INTERVAL_MS, () => this.check())
  }

  /** Checks now, or waits for the check under way. While the database is away things stay as they were. */
  check(): Promise<void> {
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined
    })
    return this.#checking
  }

  async #check(): Promise<void> {
    const client = new pg.Client({
      ...clientConfig(this.#connection),
      statement_timeout: STATEMENT_TIMEOUT_MS,
      query_timeout: STATEMENT_TIMEOUT_MS,
    })
    // The statement under way fails with it.
    client.on('error', () => undefined)
    this.#client = client
    try {
      await client.connect()
      this.#found((await checkLedger(client)).sound)
    } catch {
      // The age of the last one says so.
    } finally {
      await client.end().catch(() => undefined)
    }
  }

  /** Ends the check under way, too. */
  async close(): Promise<void> {
    const stopped = this.#stop()
    await this.#client?.end().catch(() => undefined)
    await stopped
  }

  #found(sound: boolean): void {
    this.#sound = sound
    this.#checkedAt = performance.now()
    if (!sound) this.#log.error('the law of the ledger does not hold: npm run ledger says where')
  }
}

import type pg from 'pg'
import { withClient } from '../database/client.ts'
import type { Connection } from '../database/pool.ts'
import { repeat } from '../lib/repeat.ts'
import type { Logger } from '../log.ts'
import { checkLedger, type Finding } from './ledger.ts'

/** Not while a start has everything else to do. */
const FIRST_MS = 1_000
const INTERVAL_MS = 60_000
/**
 * A check is three statements that read all attempts and prizes: for a million attempts 5 s on two busy cores. With the
 * pauses of `repeat` one that takes all this time comes back after half a day.
 */
const LIMITS = { query_timeout: 300_000 } as const

/**
 * Checks the law of the ledger now and then, over a connection of its own, so that nobody who asks for the figures waits
 * for it, nor anybody who plays.
 */
export class LedgerCheck {
  readonly #connection: Connection
  readonly #log: Pick<Logger, 'error'>
  #stop = () => Promise.resolve()
  #closed = false
  #client: pg.Client | undefined
  #checking: Promise<void> | undefined
  #sound: boolean | null = null
  #held = Number.NaN
  #balances = Number.NaN
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

  /** TAPS held as prizes, as the last check found them; not a number before the first. */
  get held(): number {
    return this.#held
  }

  /** TAPS in balances of accounts, likewise. */
  get balances(): number {
    return this.#balances
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
    this.#checking ??= withClient(this.#connection, client => this.#checkOver(client), LIMITS)
      // The age of the last one says so.
      .catch(() => undefined)
      .finally(() => {
        this.#checking = undefined
      })
    return this.#checking
  }

  /** Ends the check under way, too. */
  async close(): Promise<void> {
    this.#closed = true
    const stopped = this.#stop()
    await this.#client?.end()
    await stopped
  }

  /** One that is closed while it connects has nobody to answer to. */
  async #checkOver(client: pg.Client): Promise<void> {
    if (this.#closed) return
    this.#client = client
    await client.query(`set statement_timeout = ${LIMITS.query_timeout}`)
    this.#found(await checkLedger(client))
  }

  #found({ sound, data }: Finding): void {
    this.#sound = sound
    this.#held = data.held
    this.#balances = data.balances
    this.#checkedAt = performance.now()
    if (!sound) this.#log.error('the law of the ledger does not hold: ./taps ledger says where')
  }
}

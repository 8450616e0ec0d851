import type pg from 'pg'
import { withClient } from '../database/client.ts'
import type { Connection } from '../database/pool.ts'
import { repeat } from '../lib/repeat.ts'
import type { Logger } from '../log.ts'
import { checkLedger } from './ledger.ts'

/** After the start, which has more urgent work. */
const FIRST_MS = 1_000
const INTERVAL_MS = 60_000
/**
 * A check of the ledger reads all attempts and prizes: 5 s for a million attempts on two busy cores. `repeat` pauses in
 * proportion, so a check that takes all this time runs every four hours.
 */
const TIMEOUT_MS = 300_000

/** Uses an index. Without any backup the age is infinite, so above any limit. */
const BACKUP_AGE = `
  select coalesce(
    extract(epoch from now() - (select created_at from operator_acts where act = 'backup' order by id desc limit 1)),
    'infinity'
  )::float8 as age`

/** The values of the last look; NaN before the first. */
const UNKNOWN = { ok: Number.NaN, backupAge: Number.NaN }

/**
 * What operators watch in the database, above all the law of the ledger. Read once a minute over a connection of its own,
 * so that neither a player nor a scrape of the metrics waits for it. While the database is away the last values stay.
 */
export class Figures {
  readonly #connection: Connection
  readonly #log: Pick<Logger, 'error'>
  #stop = () => Promise.resolve()
  #client: pg.Client | undefined
  #closed = false
  #found = UNKNOWN
  /** When the last look ended, or when this was created: monotonic, ms. */
  #foundAt = performance.now()

  constructor(connection: Connection, log: Pick<Logger, 'error'>) {
    this.#connection = connection
    this.#log = log
  }

  /** `ok` is 1 when the ledger balanced at the last look, else 0; the age of the backup is that of now, s. */
  get latest(): typeof UNKNOWN {
    return { ...this.#found, backupAge: this.#found.backupAge + this.age }
  }

  /** Seconds since the last look that succeeded. */
  get age(): number {
    return (performance.now() - this.#foundAt) / 1_000
  }

  /** Starts looking, once a minute. */
  begin(): void {
    this.#stop = repeat(FIRST_MS, INTERVAL_MS, () => this.look())
  }

  /** Looks now; a look that fails shows in the age of the last one. */
  look(): Promise<void> {
    return withClient(this.#connection, client => this.#read(client), { query_timeout: TIMEOUT_MS }).catch(
      () => undefined,
    )
  }

  /** Stops looking, and ends the look under way. */
  async close(): Promise<void> {
    this.#closed = true
    const stopped = this.#stop()
    await this.#client?.end()
    await stopped
  }

  async #read(client: pg.Client): Promise<void> {
    if (this.#closed) return
    this.#client = client
    await client.query(`set statement_timeout = ${TIMEOUT_MS}`)
    const { rows } = await client.query<{ age: number }>(BACKUP_AGE)
    const { ok } = await checkLedger(client)
    this.#found = { ok: Number(ok), backupAge: rows[0]?.age ?? Number.NaN }
    this.#foundAt = performance.now()
    if (!ok) this.#log.error('the law of the ledger does not hold: ./taps ledger says where')
  }
}

import type { Database } from './pool.ts'

const INTERVAL_MS = 60_000

/** The age of the last backup in seconds; infinite without a backup. */
const READ = `
  select coalesce(
    extract(epoch from now() - (select created_at from operator_acts where act = 'backup' order by id desc limit 1)),
    'infinity'
  )::float8 as age`

/** Reads the age of the last backup once a minute, so that no scrape waits for the database. */
export class BackupAge {
  readonly #database: Database
  #timer: NodeJS.Timeout | undefined
  #age = Number.NaN
  #readAt = 0

  constructor(database: Database) {
    this.#database = database
  }

  /** The age in seconds; NaN before the first read. */
  get seconds(): number {
    return this.#age + (performance.now() - this.#readAt) / 1_000
  }

  begin(): void {
    void this.read()
    this.#timer = setInterval(() => void this.read(), INTERVAL_MS).unref()
  }

  async read(): Promise<void> {
    const answer = await this.#database.query<{ age: number }>(READ).catch(() => null)
    const age = answer?.rows[0]?.age
    if (age === undefined) return
    this.#age = age
    this.#readAt = performance.now()
  }

  close(): void {
    clearInterval(this.#timer)
  }
}

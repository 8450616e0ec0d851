import type { Database } from '../database/pool.ts'
import { repeat } from '../lib/repeat.ts'

const INTERVAL_MS = 5_000

/** By indexes, however old the game is. A backup that never was is infinitely old, above any limit. */
const READ = `
  select
    get_unclaimed_taps()::float8 as pool,
    coalesce(
      extract(epoch from now() - (select created_at from operator_acts where act = 'backup' order by id desc limit 1)),
      'infinity'
    )::float8 as "backupAge"`

/**
 * What operators watch of the database, read every few seconds, so that whoever asks for the figures never waits for it.
 * What is not known yet is not a number.
 */
export class Figures {
  readonly #database: Database
  #stop = () => Promise.resolve()
  #pool = Number.NaN
  #backup = { age: Number.NaN, readAt: 0 }

  constructor(database: Database) {
    this.#database = database
  }

  /** TAPS in the pool, as they were when it answered last. */
  get pool(): number {
    return this.#pool
  }

  /** Since the last backup, seconds; infinite when there never was one. */
  get backupAge(): number {
    return this.#backup.age + (performance.now() - this.#backup.readAt) / 1_000
  }

  /** Reads from now on. */
  begin(): void {
    this.#stop = repeat(0, INTERVAL_MS, () => this.read())
  }

  async read(): Promise<void> {
    const { rows } = await this.#database.query<{ pool: number; backupAge: number }>(READ).catch(nothing)
    const [row] = rows
    if (!row) return
    this.#pool = row.pool
    this.#backup = { age: row.backupAge, readAt: performance.now() }
  }

  close(): Promise<void> {
    return this.#stop()
  }
}

/** While the database is away things stay as they were. */
function nothing(): { rows: never[] } {
  return { rows: [] }
}

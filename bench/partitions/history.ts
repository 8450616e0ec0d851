import { createHash, randomInt } from 'node:crypto'
import pg from 'pg'
import { inDatabase } from '../../server/database/address.ts'
import { type Connection, clientConfig, type Database } from '../../server/database/pool.ts'
import { recentAttempts } from '../../server/game/attempts.ts'
import { leaderboard } from '../../server/game/leaderboard.ts'
import { BATCH_SIZE } from '../../server/game/recorder.ts'
import { withClient } from '../../tests/support/connect.ts'
import { cpuSeconds, familyOf } from '../cpu.ts'
import { medianMs } from '../median-ms.ts'
import { median, percentile } from '../series.ts'
import { writtenBytes } from '../wal.ts'
import type { Layout } from './layouts.ts'
import type { Past } from './past.ts'

const BATCHES = 200
const READS = 200
/** Above every round of the past. */
const FIRST_ROUND = 1_000_000
/** As the server asks of its connections, but for the time limit. */
const PLANS = `set plan_cache_mode = 'force_generic_plan'; set enable_seqscan = off; set jit = off`

/** Bytes on the disk. */
export interface Room {
  readonly rows: number
  readonly indexes: number
}

/** A database with one layout and a long past. */
export class History {
  readonly layout: Layout
  readonly connection: Connection
  readonly #past: Past
  readonly #postmaster: number
  readonly #database: Database
  #round = FIRST_ROUND

  constructor(server: Connection, postmaster: number, layout: Layout, past: Past) {
    this.layout = layout
    this.connection = inDatabase(server, layout.name)
    this.#past = past
    this.#postmaster = postmaster
    this.#database = new pg.Pool({
      ...clientConfig(this.connection),
      query_timeout: 0,
      idleTimeoutMillis: 0,
      max: 1,
      onConnect: client => client.query(PLANS),
    })
  }

  get name(): string {
    return this.layout.name
  }

  /** Batches of attempts of anybody, then reads; the first ones of each only warm up. */
  async measure() {
    for (let batch = 0; batch < 10; batch += 1) await this.recordBatch()
    const [log, cpu] = [await writtenBytes(this.connection), await this.#cpu()]
    const times: number[] = []
    while (times.length < BATCHES) times.push(await this.recordBatch())
    const attempts = BATCHES * BATCH_SIZE
    const sorted = times.toSorted((a, b) => a - b)
    return {
      batch: median(sorted),
      slow: percentile(sorted, 0.99),
      cpu: (((await this.#cpu()) - cpu) / attempts) * 1e6,
      log: ((await writtenBytes(this.connection)) - log) / attempts,
      leaderboard: await medianMs(READS, () => leaderboard(this.#database)),
      recent: await medianMs(READS, () => recentAttempts(this.#database)),
      own: await medianMs(READS, () => this.#ownAttempts()),
    }
  }

  /** A full batch of players anywhere in the past, a quarter of whom win; what it took, ms. */
  async recordBatch(): Promise<number> {
    const players = Array.from({ length: BATCH_SIZE }, () => randomInt(this.#past.players))
    this.#round += 1
    const of = <Value>(value: Value) => players.map(() => value)
    const values = [
      players.map(playerOf),
      of(this.#round),
      players.map(p => (p % 2 === 0 ? p / 2 + 1 : null)),
      of('A Guest'),
      of(2_000),
      of(2_050),
      of(null),
      players.map((_, place) => place % 4 === 0),
      1,
      '15 minutes',
    ]
    const began = performance.now()
    await this.#database.query({
      name: 'record_attempts',
      text: 'select * from record_attempts($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)',
      values,
    })
    return performance.now() - began
  }

  room(): Promise<Room> {
    return withClient(this.connection, async client => {
      const { rows } = await client.query<Room>(`
        select sum(pg_table_size(oid))::float8 as rows, sum(pg_indexes_size(oid))::float8 as indexes
        from pg_class where relkind = 'r' and relname ~ '^(attempts|played_rounds|last_rounds)'`)
      const [room] = rows
      if (!room) throw new Error('The tables could not be measured')
      return room
    })
  }

  close(): Promise<void> {
    return this.#database.end()
  }

  async #ownAttempts(): Promise<void> {
    const { rows } = await this.#database.query({
      name: 'own_attempts',
      text: this.layout.ownAttempts,
      values: [playerOf(randomInt(this.#past.players))],
    })
    if (rows.length === 0) throw new Error('Everybody has played')
  }

  async #cpu(): Promise<number> {
    return cpuSeconds(await familyOf(this.#postmaster))
  }
}

/** As the past names its players. */
function playerOf(number: number): string {
  const hex = createHash('md5').update(`player ${number}`).digest('hex')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

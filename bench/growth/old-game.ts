import { randomInt } from 'node:crypto'
import pg from 'pg'
import { migrate } from '../../server/database/migrate.ts'
import { type Connection, clientConfig, type Database } from '../../server/database/pool.ts'
import { attemptsOf, recentAttempts } from '../../server/game/attempts.ts'
import { leaderboard, rankOf } from '../../server/game/leaderboard.ts'
import { prizePool } from '../../server/game/prizes.ts'
import { openIdentities } from '../../server/identity/identity.ts'
import { newPlayer } from '../../server/identity/player.ts'
import { withClient } from '../../tests/support/connect.ts'
import { type HistorySize, loadHistory } from '../../tests/support/history.ts'
import type { Load } from '../load/load.ts'
import { medianMs } from '../median-ms.ts'
import { requireAll } from '../rounds/audit.ts'
import type { OwnDatabase, RoundsStage } from '../rounds/stage.ts'
import { writtenBytes } from '../wal.ts'

const SECONDS = 5
/** Of each read, each time for somebody else. */
const READS = 300

/** What is read when somebody comes, plays or looks. */
export const READ_NAMES = [
  'leaderboard',
  'recent attempts',
  'pool',
  'session',
  'own attempts',
  'rank',
] as const
export type ReadName = (typeof READ_NAMES)[number]

/** Rounds a second, what one costs in the log, and the median time of each read in ms. */
export type Played = Record<'rounds' | 'wal' | ReadName, number>

/** A database in which much has happened before. */
export interface Past extends OwnDatabase {
  readonly size: HistorySize
}

export async function makePast(stage: RoundsStage, size: HistorySize): Promise<Past> {
  const database = await stage.makeDatabase(`after_${size.attempts}`)
  await withClient(database.connection, async client => {
    await migrate(client)
    const began = performance.now()
    await loadHistory(client, size)
    const seconds = ((performance.now() - began) / 1_000).toFixed(0)
    console.log(`  ${size.attempts} attempts and ${size.accounts} accounts in ${seconds} s`)
    // What was loaded is on the disk before anything is measured.
    await client.query('checkpoint')
  })
  return { size, ...database }
}

/** A server on such a database. */
export class OldGame {
  readonly size: HistorySize
  readonly connection: Connection
  readonly #load: Load
  /** One connection, so that a time is that of the read and not of a queue. */
  readonly #database: Database

  private constructor(size: HistorySize, connection: Connection, load: Load) {
    this.size = size
    this.connection = connection
    this.#load = load
    this.#database = new pg.Pool({ ...clientConfig(connection), max: 1 })
  }

  static async open(stage: RoundsStage, { size, connection, settings }: Past): Promise<OldGame> {
    const node = await stage.startGame(settings)
    return new OldGame(size, connection, await stage.gather({ seats: 'taps', url: node.url }))
  }

  /** A crowd plays as fast as it can, then everything is read. */
  async measure(): Promise<Played> {
    const before = await writtenBytes(this.connection)
    const run = await this.#load.peak(SECONDS)
    const wal = ((await writtenBytes(this.connection)) - before) / run.rounds
    await requireAll(this.connection, run.acknowledged)
    return { rounds: run.rounds / run.seconds, wal, ...(await this.#timeReads()) }
  }

  close(): Promise<void> {
    return this.#database.end()
  }

  async #timeReads(): Promise<Record<ReadName, number>> {
    const identities = openIdentities(this.#database)
    const players = await this.#somePlayers()
    const users = await this.#someUsers()
    const anybody = () => players[randomInt(players.length)] ?? newPlayer()
    const times = {
      leaderboard: await medianMs(READS, () => leaderboard(this.#database)),
      'recent attempts': await medianMs(READS, () => recentAttempts(this.#database)),
      pool: await medianMs(READS, () => prizePool(this.#database)),
      session: await medianMs(READS, () => identities.authenticate({ session: null, guest: anybody() })),
      'own attempts': await medianMs(READS, () => attemptsOf(this.#database, anybody())),
      rank: await medianMs(READS, () => {
        const user = users[randomInt(users.length)]
        return user ? rankOf(this.#database, user) : Promise.resolve(null)
      }),
    }
    return times
  }

  async #somePlayers(): Promise<string[]> {
    const most = Math.max(1, this.size.attempts)
    const ids = Array.from({ length: READS }, () => 1 + randomInt(most))
    const { rows } = await this.#database.query<{ player: string }>(
      'select player from attempts where id = any($1)',
      [ids],
    )
    return rows.map(({ player }) => player)
  }

  async #someUsers() {
    const ids = Array.from({ length: READS }, () => 1 + randomInt(this.size.accounts))
    const { rows } = await this.#database.query<{ id: number; username: string; taps_balance: number }>(
      'select id, username, taps_balance from users where id = any($1)',
      [ids],
    )
    return rows
  }
}

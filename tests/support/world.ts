import type pg from 'pg'
import { afterAll, beforeAll, expect } from 'vitest'
import type { LogStream } from '../../server/app.ts'
import { type Connection, type Database, openDatabase } from '../../server/database/pool.ts'
import type { Env } from '../../server/env.ts'
import { balances, readLedger } from '../../server/game/ledger.ts'
import { CheckedClient } from './checked-client.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { startGame, type TestGame } from './game.ts'
import { there } from './there.ts'

/** The database, the nodes and the browsers of one test file. */
export interface World {
  /** The first node. */
  readonly game: TestGame
  readonly database: TestDatabase
  /** A pool for the test itself. */
  readonly pool: Database
  /** Another node on the same database; closed with the world. */
  addNode(settings?: Partial<Env>, log?: LogStream, connection?: Connection): Promise<TestGame>
  /** A new browser. */
  newcomer(node?: TestGame): CheckedClient
  /** The rows of one statement. */
  sql<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
}

/**
 * Gives a test file a migrated database and a node on it. After its tests the law of the ledger must hold, whatever they
 * did.
 */
export function openWorld(settings: Partial<Env> = {}): World {
  const nodes: TestGame[] = []
  let database: TestDatabase | undefined
  let pool: Database | undefined

  beforeAll(async () => {
    database = await createTestDatabase()
    nodes.push(await startGame(database.connection, settings))
    pool = openDatabase(database.connection, there(nodes[0]).app.log)
  })

  afterAll(async () => {
    const ledger = pool && (await readLedger(pool))
    for (const node of nodes) await node.close()
    await pool?.end()
    await database?.drop()
    if (ledger) expect(ledger, 'the law of the ledger').toSatisfy(balances)
  })

  return {
    get game() {
      return there(nodes[0])
    },
    get database() {
      return there(database)
    },
    get pool() {
      return there(pool)
    },
    async addNode(more = {}, log, connection = there(database).connection) {
      const node = await startGame(connection, { ...settings, ...more }, log)
      nodes.push(node)
      return node
    },
    newcomer(node = there(nodes[0])) {
      return new CheckedClient(node.url)
    },
    async sql<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) {
      const { rows } = await there(pool).query<Row>(text, values)
      return rows
    },
  }
}

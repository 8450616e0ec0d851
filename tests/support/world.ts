import type pg from 'pg'
import { afterAll, beforeAll, expect } from 'vitest'
import { isBalanced, readLedger } from '../../server/commands/ledger.ts'
import { type Connection, type Database, openDatabase } from '../../server/database/connection.ts'
import type { LogStream } from '../../server/http/server.ts'
import type { Env } from '../../server/settings.mjs'
import { CheckedClient } from './checked-client.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { closeGames, startGame, type TestGame } from './game.ts'

export interface World {
  /** The first node. */
  readonly game: TestGame
  readonly database: TestDatabase
  /** A pool for the test itself. */
  readonly pool: Database
  /** Starts another node on the same database. The node is closed with the world. */
  addNode(settings?: Partial<Env>, log?: LogStream, connection?: Connection): Promise<TestGame>
  newcomer(node?: TestGame): CheckedClient
  sql<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
}

/** Gives a test file a migrated database with a node. Checks the ledger invariant after the file's tests. */
export function openWorld(settings: Partial<Env> = {}): World {
  const nodes: TestGame[] = []
  // `beforeAll` adds all remaining properties.
  const world = {
    async addNode(more = {}, log, connection = world.database.connection) {
      const node = await startGame(connection, { ...settings, ...more }, log)
      nodes.push(node)
      return node
    },
    newcomer: (node = world.game) => new CheckedClient(node.url),
    async sql<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) {
      return (await world.pool.query<Row>(text, values)).rows
    },
  } as World

  beforeAll(async () => {
    const database = await createTestDatabase()
    Object.assign(world, { database })
    const game = await world.addNode()
    Object.assign(world, { game, pool: openDatabase(database.connection, game.server.log) })
  })

  afterAll(async () => {
    const ledger = world.pool && (await readLedger(world.pool))
    await closeGames(nodes)
    await world.pool?.end()
    await world.database?.drop()
    if (ledger) expect(ledger, 'the ledger is balanced').toSatisfy(isBalanced)
  })

  return world
}

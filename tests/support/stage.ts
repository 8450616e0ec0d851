import { rm } from 'node:fs/promises'
import { afterAll, beforeAll } from 'vitest'
import type { Connection } from '../../server/database/connection.ts'
import type { Env } from '../../server/settings.mjs'
import { Auditor } from './audit.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { closeGames, startGame, type TestGame } from './game.ts'
import { endNodes, ServerNode } from './node.ts'
import { DatabaseRelay } from './relay.ts'
import { connectionOf, newDataDir, SharedPostgres } from './shared-postgres.ts'

export interface OwnStage {
  readonly dataDir: string
  /** The current server. A test that restarts the server must assign the new node here. */
  node: ServerNode
  readonly auditor: Auditor
  settings(): Record<string, string>
}

export interface RelayedStage {
  readonly postgres: SharedPostgres
  readonly relay: DatabaseRelay
}

export interface GameStage {
  readonly nodes: TestGame[]
  /** A connection that bypasses the relay. */
  readonly connection: Connection
  readonly relay: DatabaseRelay
  readonly auditor: Auditor
  /** Returns the address of a node. Numbers beyond the last node start again at the first node. */
  url(place?: number): string
}

/** Opens a server with its own PostgreSQL for the tests of a file. */
export function ownStage(more: Record<string, string> = {}, makeDataDir = newDataDir): OwnStage {
  // `beforeAll` adds all remaining properties.
  const stage = { settings: (): Record<string, string> => ({ ...more, DATA_DIR: stage.dataDir }) } as OwnStage

  beforeAll(async () => {
    const dataDir = await makeDataDir()
    const node = await ServerNode.start({ ...more, DATA_DIR: dataDir })
    Object.assign(stage, { dataDir, node, auditor: new Auditor(await connectionOf(dataDir)) })
  })

  afterAll(async () => {
    await stage.auditor?.close()
    await endNodes()
    await rm(stage.dataDir, { recursive: true, force: true })
  })

  return stage
}

/** Opens a PostgreSQL and a relay to it for tests that start their own servers. */
export function relayedStage(): RelayedStage {
  // `beforeAll` adds the properties.
  const stage = {} as RelayedStage

  beforeAll(async () => {
    const postgres = await SharedPostgres.open()
    const relay = await DatabaseRelay.open(postgres.connection)
    Object.assign(stage, { postgres, relay })
    await relay.repair()
  })

  afterAll(async () => {
    // Ends the nodes first, because a node uses the relay until it has stopped.
    await endNodes()
    await stage.relay?.cut()
    await stage.postgres?.close()
  })

  return stage
}

/** Opens nodes in this process. The nodes reach a test database through a relay. */
export function gameStage(count: number, settings: Partial<Env> = {}): GameStage {
  const nodes: TestGame[] = []
  // `beforeAll` adds all remaining properties.
  const stage = { nodes, url: (place = 0) => nodes[place % count]?.url ?? '' } as GameStage
  let database: TestDatabase | undefined

  beforeAll(async () => {
    database = await createTestDatabase()
    const { connection } = database
    const relay = await DatabaseRelay.open(connection)
    Object.assign(stage, { connection, relay, auditor: new Auditor(connection) })
    await relay.repair()
    for (let place = 0; place < count; place += 1) nodes.push(await startGame(relay.connection, settings))
  })

  afterAll(async () => {
    await stage.auditor?.close()
    await closeGames(nodes)
    await stage.relay?.cut()
    await database?.drop()
  })

  return stage
}

import { rm } from 'node:fs/promises'
import { afterAll, beforeAll } from 'vitest'
import type { Connection } from '../../server/database/pool.ts'
import type { Env } from '../../server/env.ts'
import { Auditor } from './audit.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { startGame, type TestGame } from './game.ts'
import { endNodes, ServerNode } from './node.ts'
import { DatabaseRelay } from './relay.ts'
import { connectionOf, newDataDir, SharedPostgres } from './shared-postgres.ts'

/** A server with its own embedded PostgreSQL, and an auditor of that. */
export interface OwnStage {
  readonly dataDir: string
  /** The server that runs now. */
  node: ServerNode
  readonly auditor: Auditor
  /** The settings of the server. */
  settings(): Record<string, string>
}

/** A PostgreSQL for servers that a test starts itself, and a line to it that can be cut. */
export interface RelayedStage {
  readonly postgres: SharedPostgres
  readonly relay: DatabaseRelay
}

/** Several nodes of this process on a database of the run's PostgreSQL. */
export interface GameStage {
  readonly nodes: TestGame[]
  /** A direct one. */
  readonly connection: Connection
  /** Between the nodes and their database. */
  readonly relay: DatabaseRelay
  readonly auditor: Auditor
  /** The address of a node; they take turns. */
  url(place?: number): string
}

/** Opens a server with its own PostgreSQL for the tests of a file, in a data folder that is deleted afterwards. */
export function ownStage(more: Record<string, string> = {}, makeDataDir = newDataDir): OwnStage {
  // The rest is there once the tests run.
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

/** Opens a PostgreSQL and a line to it for the tests of a file, which start their servers themselves. */
export function relayedStage(way: 'open' | 'cut' = 'open'): RelayedStage {
  // All of it is there once the tests run.
  const stage = {} as RelayedStage

  beforeAll(async () => {
    const postgres = await SharedPostgres.open()
    const relay = await DatabaseRelay.open(postgres.connection)
    Object.assign(stage, { postgres, relay })
    if (way === 'open') await relay.mend()
  })

  afterAll(async () => {
    // The nodes need an open line to stop.
    await endNodes()
    await stage.relay?.cut()
    await stage.postgres?.close()
  })

  return stage
}

/** Opens nodes for the tests of a file, which reach their database through a relay. */
export function gameStage(count: number, settings: Partial<Env> = {}): GameStage {
  const nodes: TestGame[] = []
  // The rest is there once the tests run.
  const stage = { nodes, url: (place = 0) => nodes[place % count]?.url ?? '' } as GameStage
  let database: TestDatabase | undefined

  beforeAll(async () => {
    database = await createTestDatabase()
    const { connection } = database
    const relay = await DatabaseRelay.open(connection)
    Object.assign(stage, { connection, relay, auditor: new Auditor(connection) })
    await relay.mend()
    for (let place = 0; place < count; place += 1) nodes.push(await startGame(relay.connection, settings))
  })

  afterAll(async () => {
    await stage.auditor?.close()
    await Promise.all(nodes.map(node => node.close()))
    await stage.relay?.cut()
    await database?.drop()
  })

  return stage
}

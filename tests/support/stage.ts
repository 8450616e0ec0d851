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
import { there } from './there.ts'

/** A server with its own embedded PostgreSQL, and an auditor of that. */
export interface OwnStage {
  readonly dataDir: string
  /** The server that runs now. */
  node: ServerNode
  readonly auditor: Auditor
  /** The settings of the server. */
  settings(): Record<string, string>
}

/** A PostgreSQL for servers that a test starts itself. */
export interface PostgresStage {
  readonly postgres: SharedPostgres
}

/** The same, with a line to it that can be cut. */
export interface RelayedStage extends PostgresStage {
  readonly relay: DatabaseRelay
}

/** Several nodes of this process on a database of the run's PostgreSQL. */
export interface GameStage {
  readonly nodes: readonly TestGame[]
  /** A direct connection, even if the nodes use the relay. */
  readonly connection: Connection
  /** The relay of the nodes, if they use one. */
  readonly relay: DatabaseRelay
  readonly auditor: Auditor
  /** The address of a node; they take turns. */
  url(place?: number): string
}

/** Opens a server with its own PostgreSQL for the tests of a file, in a data folder that is deleted afterwards. */
export function ownStage(more: Record<string, string> = {}, makeDataDir = newDataDir): OwnStage {
  let dataDir = ''
  let node: ServerNode | undefined
  let auditor: Auditor | undefined

  beforeAll(async () => {
    dataDir = await makeDataDir()
    node = await ServerNode.start({ ...more, DATA_DIR: dataDir })
    auditor = new Auditor(await connectionOf(dataDir))
  })

  afterAll(async () => {
    await auditor?.close()
    await endNodes()
    await rm(dataDir, { recursive: true, force: true })
  })

  return {
    get dataDir() {
      return dataDir
    },
    get node() {
      return there(node)
    },
    set node(next: ServerNode) {
      node = next
    },
    get auditor() {
      return there(auditor)
    },
    settings: () => ({ ...more, DATA_DIR: dataDir }),
  }
}

/** Opens a PostgreSQL for the tests of a file, which start their servers themselves. */
export function postgresStage(): PostgresStage {
  let postgres: SharedPostgres | undefined

  beforeAll(async () => {
    postgres = await SharedPostgres.open()
  })

  afterAll(async () => {
    await endNodes()
    await postgres?.close()
  })

  return {
    get postgres() {
      return there(postgres)
    },
  }
}

/** The same, with a relay in front of it. */
export function relayedStage(way: 'open' | 'cut' = 'open'): RelayedStage {
  const stage = postgresStage()
  let relay: DatabaseRelay | undefined

  beforeAll(async () => {
    relay = await DatabaseRelay.open(stage.postgres.connection)
    if (way === 'open') await relay.mend()
  })

  afterAll(async () => {
    // The nodes need an open line to stop.
    await endNodes()
    await relay?.cut()
  })

  return {
    get postgres() {
      return stage.postgres
    },
    get relay() {
      return there(relay)
    },
  }
}

/** Opens nodes for the tests of a file; they reach their database directly or through its relay. */
export function gameStage(
  count: number,
  settings: Partial<Env> = {},
  way: 'direct' | 'relay' = 'direct',
): GameStage {
  const nodes: TestGame[] = []
  let database: TestDatabase | undefined
  let relay: DatabaseRelay | undefined
  let auditor: Auditor | undefined

  beforeAll(async () => {
    database = await createTestDatabase()
    relay = await DatabaseRelay.open(database.connection)
    if (way === 'relay') await relay.mend()
    const connection = way === 'relay' ? relay.connection : database.connection
    for (let place = 0; place < count; place += 1) nodes.push(await startGame(connection, settings))
    auditor = new Auditor(database.connection)
  })

  afterAll(async () => {
    await auditor?.close()
    await Promise.all(nodes.map(node => node.close()))
    await relay?.cut()
    await database?.drop()
  })

  return {
    nodes,
    get connection() {
      return there(database).connection
    },
    get relay() {
      return there(relay)
    },
    get auditor() {
      return there(auditor)
    },
    url: (place = 0) => there(nodes[place % count]).url,
  }
}

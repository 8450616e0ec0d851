import { rm } from 'node:fs/promises'
import { afterAll, beforeAll } from 'vitest'
import { Auditor } from './audit.ts'
import { endNodes, ServerNode } from './node.ts'
import { DatabaseRelay } from './relay.ts'
import { connectionOf, newDataDir, SharedPostgres } from './shared-postgres.ts'

/** A server with an embedded PostgreSQL of its own, and somebody who looks into that. */
export interface OwnStage {
  readonly dataDir: string
  /** The one that runs now. */
  node: ServerNode
  readonly auditor: Auditor
  /** What the server is started with. */
  settings(): Record<string, string>
}

/** A PostgreSQL for servers that a test starts itself. */
export interface PostgresStage {
  readonly postgres: SharedPostgres
}

/** The same, and a way to it that can be cut. */
export interface RelayedStage extends PostgresStage {
  readonly relay: DatabaseRelay
}

/** Several servers on one PostgreSQL. */
export interface SharedStage extends RelayedStage {
  readonly nodes: readonly [ServerNode, ...ServerNode[]]
  readonly auditor: Auditor
}

/** Opens an own stage for the tests of a file, in a data folder that goes away afterwards. */
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

/** Opens a PostgreSQL for the tests of a file, which start servers themselves. */
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

/** Opens a relay before one as well. */
export function relayedStage(way: 'open' | 'cut' = 'open'): RelayedStage {
  const stage = postgresStage()
  let relay: DatabaseRelay | undefined

  beforeAll(async () => {
    relay = await DatabaseRelay.open(stage.postgres.connection)
    if (way === 'open') await relay.mend()
  })

  afterAll(async () => {
    // They stop by a way that is open.
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

/** Opens a shared stage for the tests of a file; the servers reach the database directly or through its relay. */
export function sharedStage(
  count: number,
  more: Record<string, string> = {},
  way: 'direct' | 'relay' = 'direct',
): SharedStage {
  const stage = relayedStage()
  let nodes: [ServerNode, ...ServerNode[]] | undefined
  let auditor: Auditor | undefined

  beforeAll(async () => {
    const { postgres, relay } = stage
    const settings = { ...postgres.settings(way === 'relay' ? relay.connection : undefined), ...more }
    const start = () => ServerNode.start(settings)
    nodes = await Promise.all([start(), ...Array.from({ length: count - 1 }, start)])
    auditor = new Auditor(postgres.connection)
  })

  afterAll(() => auditor?.close())

  return {
    get postgres() {
      return stage.postgres
    },
    get relay() {
      return stage.relay
    },
    get nodes() {
      return there(nodes)
    },
    get auditor() {
      return there(auditor)
    },
  }
}

function there<Thing>(thing: Thing | undefined): Thing {
  if (thing === undefined) throw new Error('The stage is there once the tests run')
  return thing
}

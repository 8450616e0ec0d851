import { fileURLToPath } from 'node:url'
import { endNodes, ServerNode } from '../../faults/node.ts'
import { SharedPostgres } from '../../faults/postgres.ts'
import type { Connection } from '../../server/db.ts'
import { inDatabase, withClient } from '../../server/testing/connect.ts'
import { Load, type LoadOptions, type LoadRun } from '../load/load.ts'

const TYPESCRIPT = fileURLToPath(new URL('../../scripts/typescript.mjs', import.meta.url))

/** A server under load, whatever it is. */
export interface Contestant {
  readonly node: ServerNode
  readonly load: Load
  /** Looks whether a run's attempts are all there; throws when not. */
  check(run: LoadRun): Promise<void>
}

/** One PostgreSQL for all, a database for each: the same disk, the same settings. */
export class RoundsStage {
  readonly #postgres: SharedPostgres
  readonly #loads: Load[] = []

  private constructor(postgres: SharedPostgres) {
    this.#postgres = postgres
  }

  static async open(): Promise<RoundsStage> {
    return new RoundsStage(await SharedPostgres.open())
  }

  /** A new database, and how a server finds it. */
  async makeDatabase(name: string): Promise<{ connection: Connection; settings: Record<string, string> }> {
    const { connection } = this.#postgres
    await withClient(connection, client => client.query(`create database ${name}`))
    return {
      connection: inDatabase(connection, name),
      settings: this.#postgres.settings(undefined, name),
    }
  }

  /** Starts a program of the bench as a server. */
  start(file: string, settings: Record<string, string>): Promise<ServerNode> {
    return ServerNode.start(settings, ['--import', TYPESCRIPT, fileURLToPath(new URL(file, import.meta.url))])
  }

  async gather(options: LoadOptions): Promise<Load> {
    const load = await Load.gather(options)
    this.#loads.push(load)
    return load
  }

  async close(): Promise<void> {
    await Promise.all(this.#loads.map(load => load.close()))
    await endNodes()
    await this.#postgres.close()
  }
}

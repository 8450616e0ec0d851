import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { inDatabase } from '../../server/database/address.ts'
import type { Connection } from '../../server/database/pool.ts'
import { withClient } from '../../tests/support/connect.ts'
import { endNodes, ServerNode, type Settings } from '../../tests/support/node.ts'
import { SharedPostgres } from '../../tests/support/shared-postgres.ts'

const ROOT = new URL('../../', import.meta.url)

/** A database, and how its server finds it. */
interface OwnDatabase {
  readonly connection: Connection
  readonly settings: Settings
}

/** One PostgreSQL with a database for each contestant: the same disk, the same settings. */
export class RoundsStage {
  /** With a database of its own as well. */
  readonly postgres: SharedPostgres
  readonly #undo: (() => Promise<void>)[] = []

  private constructor(postgres: SharedPostgres) {
    this.postgres = postgres
  }

  static async open(): Promise<RoundsStage> {
    return new RoundsStage(await SharedPostgres.open())
  }

  async makeDatabase(name: string): Promise<OwnDatabase> {
    const { connection } = this.postgres
    await withClient(connection, client => client.query(`create database ${name}`))
    return {
      connection: inDatabase(connection, name),
      settings: this.postgres.settings(undefined, name),
    }
  }

  /** @param undo is called before the servers end */
  onClose(undo: () => Promise<void>): void {
    this.#undo.push(undo)
  }

  async close(): Promise<void> {
    for (const undo of this.#undo) await undo()
    await endNodes()
    await this.postgres.close()
  }
}

/** Starts the game's server as `npm start` does, with the same memory settings. */
export async function startGame(settings: Settings): Promise<ServerNode> {
  const { scripts } = JSON.parse(await readFile(new URL('package.json', ROOT), 'utf8'))
  const options = `${scripts.start}`.split(' ').filter(word => word.startsWith('--'))
  return ServerNode.start(settings, [...options, fileURLToPath(new URL('dist/server/main.js', ROOT))])
}

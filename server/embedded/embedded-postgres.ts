import type { Connection } from '../database/connection.ts'
import type { Logger } from '../log.ts'
import { connectionTo, GAME_DATABASE, install } from './installation.ts'
import { AlreadyOwned } from './owner.ts'
import type { Binaries, SystemUser } from './programs.ts'
import { Supervisor } from './supervisor.ts'

export interface EmbeddedPostgresOptions {
  readonly dataDir: string
  readonly log: Pick<Logger, 'warn'>
  /** Whether to own and stop the database; false for a command, which uses a server's database. */
  readonly exclusive?: boolean
  readonly settings?: Readonly<Record<string, string>>
  readonly binaries?: Binaries | undefined
  /** The system user who runs a new PostgreSQL; `chooseSystemUser` chooses one by default. */
  readonly user?: SystemUser | undefined
}

export interface EmbeddedPostgres {
  readonly connection: Connection
  /** Stops the database in at most 8 s, if this process owns the database. May be called repeatedly. */
  stop(): Promise<void>
}

/**
 * Opens the embedded PostgreSQL and restarts it whenever it exits, until `stop`. Creates the cluster at the
 * first start, and adopts a PostgreSQL that outlived its server.
 *
 * @throws {StartError} when another server owns the folder, another major version made it, or the disk is
 *   full
 */
export async function openEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir, log, exclusive = true, settings = {}, binaries, user } = options
  const installation = await install(dataDir, binaries, user)
  const connection = connectionTo(GAME_DATABASE, installation)
  const supervisor = new Supervisor(installation, settings, log)
  try {
    await supervisor.open(exclusive)
  } catch (error) {
    if (!(error instanceof AlreadyOwned)) await supervisor.stop()
    else if (!exclusive) return { connection, stop: async () => undefined }
    throw error
  }
  return { connection, stop: () => supervisor.stop() }
}

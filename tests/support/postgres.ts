import { randomUUID } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import type { Connection } from '../../server/database/connection.ts'
import type { Binaries } from '../../server/embedded/programs.ts'
import { inDatabase, withClient } from './connect.ts'
import { migrate } from './migrate.ts'
import { SharedPostgres } from './shared-postgres.ts'

export interface TestServer {
  /** The connection to a database that always exists. */
  readonly connection: Connection
  /** The migrated database that tests copy. */
  readonly template: string
}

export interface TestDatabase {
  readonly connection: Connection
  /** Drops the database, even while connections are open. */
  drop(): Promise<void>
}

/** Settings that trade durability for speed and allow the connections of several nodes. */
const SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' }

/**
 * Opens the PostgreSQL of a whole run: a temporary server, with the programs in `TEST_POSTGRES` or else with
 * the embedded programs.
 *
 * @param open - Opens another server instead.
 */
export async function openTestServer(open = openServer): Promise<TestServer & { close(): Promise<void> }> {
  const template = `taps_template_${process.pid}`
  const server = await open()
  const { connection } = server
  try {
    await withClient(connection, client =>
      client.query(`create database ${template} template template0 encoding 'UTF8'`),
    )
    await withClient(inDatabase(connection, template), client => migrate(client))
  } catch (error) {
    await server.close()
    throw error
  }
  return { connection, template, close: () => drop(connection, template).finally(() => server.close()) }
}

export async function copyTemplate({ connection, template }: TestServer): Promise<TestDatabase> {
  const name = `taps_test_${randomUUID().replaceAll('-', '')}`
  await withClient(connection, client => client.query(`create database ${name} template ${template}`))
  return { connection: inDatabase(connection, name), drop: () => drop(connection, name) }
}

function openServer(): Promise<Pick<SharedPostgres, 'connection' | 'close'>> {
  const { TEST_POSTGRES } = process.env
  return SharedPostgres.open(SETTINGS, TEST_POSTGRES ? binariesOf(TEST_POSTGRES) : undefined)
}

/** Returns the paths of the programs in a Debian folder such as `/usr/lib/postgresql/15/bin`. */
export function binariesOf(folder: string): Binaries {
  const major = basename(dirname(folder))
  return { initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres'), major }
}

async function drop(connection: Connection, name: string): Promise<void> {
  await withClient(connection, client => client.query(`drop database if exists ${name} with (force)`))
}

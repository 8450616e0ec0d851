import { randomUUID } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import pg from 'pg'
import type { Binaries } from '../../server/database/embedded/programs.ts'
import type { Connection } from '../../server/database/pool.ts'
import { inDatabase, withClient } from './connect.ts'
import { migrate } from './migrate.ts'
import { SharedPostgres } from './shared-postgres.ts'

/** Where the tests of one run find PostgreSQL. */
export interface TestServer {
  /** To a database that always exists. */
  readonly connection: Connection
  /** The migrated database that tests copy. */
  readonly template: string
}

/** A migrated database of one test alone. */
export interface TestDatabase {
  readonly connection: Connection
  /** Deletes it, even if somebody is still connected. */
  drop(): Promise<void>
}

/** It is not kept, so nothing has to reach the disk; several nodes are connected at a time. */
const SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' }

/**
 * Opens one PostgreSQL for a whole run: the one of `DATABASE_URL`, whose user may create databases, else one that is made
 * for the run and deleted after it, by the programs in the folder `TEST_POSTGRES` or the embedded ones.
 *
 * @param open replaces this choice
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

/** Creates a database with a new game. */
export async function copyTemplate({ connection, template }: TestServer): Promise<TestDatabase> {
  const name = `taps_test_${randomUUID().replaceAll('-', '')}`
  await withClient(connection, client => client.query(`create database ${name} template ${template}`))
  return { connection: inDatabase(connection, name), drop: () => drop(connection, name) }
}

async function openServer(): Promise<Pick<SharedPostgres, 'connection' | 'close'>> {
  const { DATABASE_URL, TEST_POSTGRES } = process.env
  if (DATABASE_URL) return { connection: partsOf(DATABASE_URL), close: async () => undefined }
  return SharedPostgres.open(SETTINGS, TEST_POSTGRES ? binariesOf(TEST_POSTGRES) : undefined)
}

/** The programs in a folder of Debian's, such as `/usr/lib/postgresql/15/bin`. */
export function binariesOf(folder: string): Binaries {
  const major = basename(dirname(folder))
  return { initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres'), major }
}

/** A connection in parts, which a test can replace; a URL would take precedence over them. */
function partsOf(url: string): Connection {
  const { host, port, user, password, database } = new pg.Client(url)
  return { host, port, user, password, database }
}

async function drop(connection: Connection, name: string): Promise<void> {
  await withClient(connection, client => client.query(`drop database if exists ${name} with (force)`))
}

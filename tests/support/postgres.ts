import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import pg from 'pg'
import { inDatabase } from '../../server/database/address.ts'
import { openEmbeddedPostgres } from '../../server/database/embedded/embedded-postgres.ts'
import type { Binaries } from '../../server/database/embedded/programs.ts'
import { migrate } from '../../server/database/migrate.ts'
import type { Connection } from '../../server/database/pool.ts'
import { withClient } from './connect.ts'

/** Where the tests of one run find PostgreSQL. */
export interface TestServer {
  /** To a database that is always there. */
  readonly connection: Connection
  /** The migrated database that those of the tests are copies of. */
  readonly template: string
}

/** A migrated database that nobody else knows. */
export interface TestDatabase {
  readonly connection: Connection
  /** Deletes it, whoever is still connected. */
  drop(): Promise<void>
}

const quiet = { info: () => undefined, warn: () => undefined }

/** Nothing of it is kept, so nothing of it has to reach the disk; several nodes are connected at a time. */
const SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' }

/**
 * Opens one PostgreSQL for a whole run: the one of `DATABASE_URL`, whose user may create databases, or one that is made
 * for the run and deleted after it, with the programs in the folder `TEST_POSTGRES` or else the embedded ones.
 *
 * @param open opens another one
 */
export async function openTestServer(open = openServer): Promise<TestServer & { close(): Promise<void> }> {
  const template = `taps_template_${process.pid}`
  const { connection, close } = await open()
  try {
    await withClient(connection, client =>
      client.query(`create database ${template} template template0 encoding 'UTF8'`),
    )
    await withClient(inDatabase(connection, template), client => migrate(client))
  } catch (error) {
    await close()
    throw error
  }
  return { connection, template, close: () => drop(connection, template).finally(close) }
}

/** Makes a database in which nothing has happened. */
export async function copyTemplate({ connection, template }: TestServer): Promise<TestDatabase> {
  const name = `taps_test_${randomUUID().replaceAll('-', '')}`
  await withClient(connection, client => client.query(`create database ${name} template ${template}`))
  return { connection: inDatabase(connection, name), drop: () => drop(connection, name) }
}

async function openServer(): Promise<{ connection: Connection; close: () => Promise<void> }> {
  const { DATABASE_URL, TEST_POSTGRES } = process.env
  if (DATABASE_URL) return { connection: partsOf(DATABASE_URL), close: async () => undefined }
  return openOwnServer(TEST_POSTGRES ? binariesOf(TEST_POSTGRES) : undefined)
}

/** The programs in a folder of Debian's, such as `/usr/lib/postgresql/15/bin`. */
function binariesOf(folder: string): Binaries {
  const major = basename(dirname(folder))
  return { initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres'), major }
}

/** A connection whose parts a test can replace; what a URL says counts above them. */
function partsOf(url: string): Connection {
  const { host, port, user, password, database } = new pg.Client(url)
  return { host, port, user, password, database }
}

/**
 * Makes a PostgreSQL that is deleted when it is closed.
 *
 * @param binaries of another one than the embedded one
 */
export async function openOwnServer(
  binaries?: Binaries,
): Promise<{ connection: Connection; close: () => Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'taps-test-'))
  const { connection, stop } = await openEmbeddedPostgres({
    dataDir,
    log: quiet,
    settings: SETTINGS,
    binaries,
  })
  const close = async () => {
    await stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  return { connection, close }
}

async function drop(connection: Connection, name: string): Promise<void> {
  await withClient(connection, client => client.query(`drop database if exists ${name} with (force)`))
}

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openEmbeddedPostgres } from '../database/embedded/embedded-postgres.ts'
import { migrate } from '../database/migrate.ts'
import type { Connection } from '../database/pool.ts'
import { inDatabase, withClient } from './connect.ts'

/** What every file's database is a copy of. */
const TEMPLATE = `taps_template_${process.pid}`

/** Where the tests of one run find PostgreSQL. */
export interface TestServer {
  /** To a database that is always there. */
  readonly connection: Connection
  readonly template: string
}

declare module 'vitest' {
  export interface ProvidedContext {
    testServer: TestServer
  }
}

const quiet = { info: () => undefined, warn: () => undefined }

/**
 * One PostgreSQL for the whole run: the one of `DATABASE_URL`, whose user may create databases, or an embedded one
 * that is made for the run and deleted after it.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const server = await openServer()
  try {
    await makeTemplate(server.connection)
  } catch (error) {
    await server.close()
    throw error
  }
  project.provide('testServer', { connection: server.connection, template: TEMPLATE })
  return async () => {
    await dropTemplate(server.connection).finally(server.close)
  }
}

async function openServer(): Promise<{ connection: Connection; close: () => Promise<void> }> {
  const { DATABASE_URL } = process.env
  if (DATABASE_URL) return { connection: { connectionString: DATABASE_URL }, close: async () => undefined }
  const dataDir = await mkdtemp(join(tmpdir(), 'taps-test-'))
  // Nothing of it is kept, so nothing of it has to reach the disk.
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }
  const { connection, stop } = await openEmbeddedPostgres({ dataDir, log: quiet, settings })
  const close = async () => {
    await stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  return { connection, close }
}

async function makeTemplate(connection: Connection): Promise<void> {
  await withClient(connection, async client => {
    await client.query(`create database ${TEMPLATE} template template0 encoding 'UTF8'`)
  })
  await withClient(inDatabase(connection, TEMPLATE), client => migrate(client))
}

async function dropTemplate(connection: Connection): Promise<void> {
  await withClient(connection, async client => {
    await client.query(`drop database if exists ${TEMPLATE}`)
  })
}

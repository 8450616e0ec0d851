import { randomUUID } from 'node:crypto'
import { inject } from 'vitest'
import type { Connection } from '../database/pool.ts'
import { inDatabase, withClient } from './connect.ts'

/** A migrated database that nobody else knows. */
export interface TestDatabase {
  readonly connection: Connection
  /** Deletes it, whoever is still connected. */
  drop(): Promise<void>
}

/** Makes a database for one test file; the file drops it when its tests are over. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { connection, template } = inject('testServer')
  const name = `taps_test_${randomUUID().replaceAll('-', '')}`
  await withClient(connection, client => client.query(`create database ${name} template ${template}`))
  return {
    connection: inDatabase(connection, name),
    async drop() {
      await withClient(connection, client => client.query(`drop database if exists ${name} with (force)`))
    },
  }
}

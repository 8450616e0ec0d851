import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, inject } from 'vitest'
import type { Connection } from '../../server/database/connection.ts'
import { TABLES } from '../../server/database/tables.ts'
import { inDatabase, withClient } from './connect.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** Folders and databases for a test file's backups and restores; all are deleted after the tests. */
export interface Paths {
  newFolder(name?: string): string
  emptyDatabase(encoding?: string): Promise<Connection>
}

export function openPlaces(): Paths {
  const databases: string[] = []
  let home = ''

  beforeAll(async () => {
    home = await temporaryFolder('taps-backups-')
  })

  afterAll(async () => {
    await withClient(inject('testServer').connection, async client => {
      for (const name of databases) await client.query(`drop database if exists ${name} with (force)`)
    })
    await rm(home, { recursive: true, force: true })
  })

  return {
    newFolder: (name = randomUUID()) => join(home, name),
    async emptyDatabase(encoding = 'UTF8') {
      const { connection } = inject('testServer')
      const name = `taps_empty_${randomUUID().replaceAll('-', '')}`
      databases.push(name)
      await withClient(connection, client =>
        client.query(`create database ${name} template template0 locale 'C' encoding '${encoding}'`),
      )
      return inDatabase(connection, name)
    },
  }
}

/** Reads every row of every table as text, and the last value of each sequence. */
export function dumpRows(connection: Connection): Promise<Record<string, string[]>> {
  return withClient(connection, async client => {
    const found: Record<string, string[]> = {}
    for (const table of TABLES) {
      const { rows } = await client.query<{ row: string }>(
        `select t::text as row from ${table} as t order by 1`,
      )
      found[table] = rows.map(({ row }) => row)
    }
    const { rows } = await client.query<{ sequence: string }>(
      "select sequencename || ' ' || coalesce(last_value, 0) as sequence from pg_sequences order by 1",
    )
    return { ...found, sequences: rows.map(({ sequence }) => sequence) }
  })
}

export function tableNames(connection: Connection): Promise<string[]> {
  return withClient(connection, async client => {
    const { rows } = await client.query<{ name: string }>(
      "select tablename as name from pg_tables where schemaname = 'public' order by 1",
    )
    return rows.map(({ name }) => name)
  })
}

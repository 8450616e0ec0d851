import { existsSync } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openPlaces } from '../../tests/support/backups.ts'
import { withTemporaryPostgres } from './with-database.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const
const paths = openPlaces()
let backup = ''

beforeEach(async () => {
  backup = join(paths.newFolder(), 'a backup')
  await mkdir(backup, { recursive: true })
})

afterEach(() => rm(dirname(backup), { recursive: true, force: true }))

const siblings = () => readdir(dirname(backup))

/** Asks PostgreSQL for its data folder. */
async function dataFolder(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ folder: string }>(
    `select current_setting('data_directory') as folder`,
  )
  return rows[0]?.folder ?? ''
}

test('provides an empty database in a private folder next to the backup, and removes the folder afterwards', async () => {
  const listeners = () => SIGNALS.map(signal => process.listenerCount(signal))
  const before = listeners()
  const folder = await withTemporaryPostgres(backup, async client => {
    // Each of these signals ends the work like SIGTERM below.
    expect(listeners()).toEqual(before.map(count => count + 1))
    const { rows } = await client.query(`select from pg_tables where schemaname = 'public'`)
    expect(rows).toEqual([])
    const folder = await dataFolder(client)
    expect(folder.startsWith(join(dirname(backup), '.a backup.verify-'))).toBe(true)
    expect((await stat(folder)).mode & 0o077).toBe(0)
    return folder
  })
  expect(existsSync(folder)).toBe(false)
  expect(await siblings()).toEqual(['a backup'])
})

test('removes the temporary folder on a signal', async () => {
  const interrupted = withTemporaryPostgres(backup, async client => {
    process.emit('SIGTERM')
    await client.query('select pg_sleep(60)')
  })
  await expect(interrupted).rejects.toThrow('Interrupted; unfinished changes were rolled back')
  expect(await siblings()).toEqual(['a backup'])
})

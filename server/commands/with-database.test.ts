import { chmod, chown, mkdir, readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { openPlaces } from '../../tests/support/backups.ts'
import { withTemporaryPostgres } from './with-database.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGQUIT'] as const
const paths = openPlaces()

test('provides an empty database in a private folder next to the backup, and removes the folder on a signal', async () => {
  const parent = paths.newFolder()
  const backup = join(parent, 'a backup')
  await mkdir(backup, { recursive: true })
  const listeners = () => SIGNALS.map(signal => process.listenerCount(signal))
  const before = listeners()
  const interrupted = withTemporaryPostgres(backup, async client => {
    // Each of these signals ends the work like SIGTERM below.
    expect(listeners()).toEqual(before.map(count => count + 1))
    expect(await client.query(`select from pg_tables where schemaname = 'public'`)).toMatchObject({
      rows: [],
    })
    const { rows } = await client.query<{ folder: string }>(
      `select current_setting('data_directory') as folder`,
    )
    const { folder = '' } = rows[0] ?? {}
    expect(folder.startsWith(join(dirname(backup), '.a backup.verify-'))).toBe(true)
    expect((await stat(folder)).mode & 0o077).toBe(0)
    process.emit('SIGTERM')
    await client.query('select pg_sleep(60)')
  })
  await expect(interrupted).rejects.toThrow('Interrupted; unfinished changes were rolled back')
  expect(await readdir(parent)).toEqual(['a backup'])
})

test("works for root next to another user's backup, in a folder that only this user may enter", async () => {
  const parent = paths.newFolder()
  await mkdir(parent, { mode: 0o700 })
  await chmod(parent, 0o700)
  // Only root can give the folder away, to a user who can run PostgreSQL from this checkout; otherwise this is the
  // test above.
  if (await isOpenToOthers(process.cwd())) await chown(parent, 65_534, 65_534).catch(() => undefined)
  const folder = await withTemporaryPostgres(join(parent, 'a backup'), async client => {
    const { rows } = await client.query<{ folder: string }>(
      `select current_setting('data_directory') as folder`,
    )
    return rows[0]?.folder
  })
  expect(folder).toContain(parent)
  expect(await readdir(parent)).toEqual([])
})

/** Returns whether all users may enter a folder. */
async function isOpenToOthers(folder: string): Promise<boolean> {
  const isOpen = ((await stat(folder)).mode & 0o001) !== 0
  return isOpen && (folder === dirname(folder) || isOpenToOthers(dirname(folder)))
}

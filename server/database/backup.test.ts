import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { dumpRows, openPlaces, tableNames } from '../../tests/support/backups.ts'
import { withClient } from '../../tests/support/connect.ts'
import { TEST_SECRET } from '../../tests/support/game.ts'
import { until } from '../../tests/support/until.ts'
import { openWorld } from '../../tests/support/world.ts'
import { checkLedger } from '../commands/ledger.ts'
import { deriveKeys } from '../lib/derived-keys.ts'
import { StartError } from '../lib/errors.ts'
import { openBackup, writeBackup } from './backup.ts'
import type { Connection } from './connection.ts'
import { readPasswordKey } from './fingerprint.ts'
import { prepareDatabase } from './prepare.ts'
import { restore } from './restore.ts'

const world = openWorld()
const paths = openPlaces()
const PASSWORD = 'correct horse battery'
const keepNothing = async () => undefined

async function backUp(connection = world.database.connection, secret = TEST_SECRET): Promise<string> {
  const folder = paths.newFolder()
  await withClient(connection, client => writeBackup(client, folder, secret))
  return folder
}

async function restoreInto(connection: Connection, folder: string, keepSecret = keepNothing): Promise<void> {
  await withClient(connection, async client => restore(client, await openBackup(folder), keepSecret))
}

/** Creates a user with an open session, a claimed prize and a held prize. */
async function accountWithPrizes(username: string) {
  const client = world.newcomer()
  await client.createAccount(username, PASSWORD)
  await client.play(0)
  await client.post('/api/claim')
  await client.play(100)
  return client
}

describe('a backup', () => {
  test('can be restored into an empty database, with every table except sessions and the same ledger', async () => {
    await accountWithPrizes("D'Arcy . _ - N")
    await world.sql(`update attempts set username = $1 where id = 1`, ['Back\\slash "N" \\N \t'])
    const zoe = await accountWithPrizes('Zoë 🎯')
    for (const differenceMs of [20, -30, 40]) await zoe.play(differenceMs)
    await world.newcomer().session()
    const folder = await backUp()
    const empty = await paths.emptyDatabase()
    await restoreInto(empty, folder)
    const { sessions, hands, ...kept } = await dumpRows(world.database.connection)
    expect(sessions).toHaveLength(2)
    expect(hands).toHaveLength(1)
    expect(await dumpRows(empty)).toEqual({ ...kept, hands, sessions: [] })
  })

  test("is refused when SECRET is not the game's secret, and keeps the whitespace around the secret", async () => {
    const connection = await paths.emptyDatabase()
    const secret = ` ${TEST_SECRET}\n`
    await withClient(connection, client => prepareDatabase(client, secret, () => undefined))
    await expect(backUp(connection)).rejects.toThrow(/^SECRET differs from the game's secret/)
    expect((await openBackup(await backUp(connection, secret))).secret).toBe(secret)
  })

  test('is consistent even if a win is recorded during the dump, and appears only when it is complete', async () => {
    await accountWithPrizes('Before The Backup')
    const folder = paths.newFolder()
    await withClient(world.database.connection, async client => {
      // Blocks the backup after it has written attempts and the pool, but before holds and prizes.
      await client.query('begin; lock table holds')
      const made = withClient(world.database.connection, other => writeBackup(other, folder, TEST_SECRET))
      const waits = `select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like 'copy holds%'`
      await until('the backup to wait for the lock', async () => (await world.sql(waits)).length > 0)
      const { rows } = await client.query(
        `select won_taps from record_batch(array[gen_random_uuid()], array[1], array[null]::bigint[], array['Latecomer'],
          array[2000], array[2000], array[extract(epoch from now()) * 1000]::bigint[], array[true], 1, '15 minutes',
          3000, 1000)`,
      )
      expect(rows).toEqual([{ won_taps: expect.any(Number) }])
      // A backup that is killed here leaves no valid folder.
      expect(existsSync(folder)).toBe(false)
      await client.query('commit')
      await made
    })
    const empty = await paths.emptyDatabase()
    await restoreInto(empty, folder)
    expect(await withClient(empty, checkLedger)).toMatchObject({ ok: true })
    const { attempts = [] } = await dumpRows(empty)
    expect(attempts.join()).not.toContain('Latecomer')
  })

  test('is readable only by its owner, has a file for each table of the database, and is never overwritten', async () => {
    const folder = await backUp()
    const tables = await tableNames(world.database.connection)
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    const names = await readdir(folder)
    for (const name of names) expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600)
    expect(names.sort()).toEqual(
      [...tables.map(table => `${table}.copy.gz`), 'contents.json.gz', 'secret'].sort(),
    )
    const again = withClient(world.database.connection, client => writeBackup(client, folder, TEST_SECRET))
    await expect(again).rejects.toThrow(new StartError(`${folder} already exists: name a new folder`))
  })

  test('leaves no files behind when it fails', async () => {
    const folder = join(paths.newFolder(), 'broken')
    await expect(
      withClient(world.database.connection, async client => {
        // This role cannot read every table, so the dump fails midway.
        await client.query('set role pg_monitor')
        await writeBackup(client, folder, TEST_SECRET)
      }),
    ).rejects.toThrow('permission denied')
    expect(await readdir(dirname(folder))).toEqual([])
  })
})

describe('a restore', () => {
  test('never overwrites a game', async () => {
    const folder = await backUp()
    const before = await dumpRows(world.database.connection)
    await expect(restoreInto(world.database.connection, folder)).rejects.toThrow(
      'This database already holds a game; restore into an empty database',
    )
    expect(await dumpRows(world.database.connection)).toEqual(before)
  })

  test.each([
    ['a byte has changed', async (file: string) => changeByte(file)],
    ['its end is missing', async (file: string) => truncate(file, (await stat(file)).size - 1)],
    ['it is missing', async (file: string) => rm(file)],
  ])('changes nothing and refuses a backup file when %s', async (_, damage) => {
    const empty = await paths.emptyDatabase()
    for (const name of ['holds.copy.gz', 'contents.json.gz']) {
      const folder = await backUp()
      await damage(join(folder, name))
      await expect(restoreInto(empty, folder)).rejects.toThrow(`${folder} is damaged or incomplete (${name})`)
      expect(await tableNames(empty)).toEqual([])
    }
  })

  test('accepts a backup from an earlier release, with tables that no longer exist, and without a key of passwords and newer columns', async () => {
    await accountWithPrizes('Of Long Ago')
    // An upgrade gives a record to each player's newest attempt only.
    await world.sql(
      `update attempts set best = null, streak = null where exists (
        select from attempts as newer where newer.player = attempts.player and newer.round > attempts.round
      )`,
    )
    const before = await dumpRows(world.database.connection)
    const folder = await backUp()
    await rewrite(folder, 'migrations.copy.gz', rows => rows.replace(/^(?!0001_).*\n/gm, ''))
    await rewrite(folder, 'users.copy.gz', rows => rows.replace(/\t\d+$/gm, ''))
    await rewrite(folder, 'attempts.copy.gz', rows => rows.replace(/(\t[^\t\n]+){2}$/gm, ''))
    for (const table of ['game_secret', 'hands']) await rm(join(folder, `${table}.copy.gz`))
    await writeFile(join(folder, 'hidden_names.copy.gz'), gzipSync('vile\tVile\t2026-01-01 00:00:00+00\n'))
    await writeFile(join(folder, 'flags.copy.gz'), gzipSync(`${randomUUID()}\t2026-01-01 00:00:00+00\t\\N\n`))
    await rewrite(folder, 'contents.json.gz', text => {
      const { rows, ...contents } = JSON.parse(text)
      const { game_secret: _, hands: __, ...earlier } = { ...rows, migrations: 1, hidden_names: 1, flags: 1 }
      return JSON.stringify({ ...contents, rows: earlier })
    })
    const empty = await paths.emptyDatabase()
    await restoreInto(empty, folder)
    const after = await dumpRows(empty)
    const changed = { migrations: [], game_secret: [], sessions: [], hands: [] }
    expect({ ...after, ...changed }).toEqual({ ...before, ...changed })
    expect(await withClient(empty, readPasswordKey)).toEqual(deriveKeys(TEST_SECRET).pepper)
    expect(await tableNames(empty)).toEqual(await tableNames(world.database.connection))
  })

  test.each(['sessions', 'operator_acts'])('refuses a backup whose table %s has lost a row', async table => {
    await accountWithPrizes(`Witness of ${table}`.replace('_', ' '))
    await world.sql("insert into operator_acts (act, by_user) values ('backup', 'root')")
    const folder = await backUp()
    await rewrite(folder, `${table}.copy.gz`, rows => rows.replace(/^.*\n/, ''))
    const empty = await paths.emptyDatabase()
    await expect(restoreInto(empty, folder)).rejects.toThrow(`is damaged or incomplete (${table}.copy.gz)`)
    expect(await tableNames(empty)).toEqual([])
  })

  test('refuses a backup whose secret was changed', async () => {
    const folder = await backUp()
    await changeByte(join(folder, 'secret'))
    await expect(openBackup(folder)).rejects.toThrow('is damaged or incomplete (secret)')
  })

  test("changes nothing when the backup's secret cannot be stored", async () => {
    const empty = await paths.emptyDatabase()
    const refusal = new StartError('The secret of this backup differs from SECRET')
    await expect(restoreInto(empty, await backUp(), () => Promise.reject(refusal))).rejects.toThrow(refusal)
    expect(await tableNames(empty)).toEqual([])
  })
})

async function changeByte(file: string): Promise<void> {
  const bytes = await readFile(file)
  const middle = Math.floor(bytes.length / 2)
  bytes[middle] = (bytes[middle] ?? 0) ^ 1
  await writeFile(file, bytes)
}

async function rewrite(folder: string, name: string, change: (text: string) => string): Promise<void> {
  const file = join(folder, name)
  await writeFile(file, gzipSync(change(gunzipSync(await readFile(file)).toString())))
}

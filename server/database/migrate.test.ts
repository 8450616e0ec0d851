import { createHash } from 'node:crypto'
import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ClientBase } from 'pg'
import { describe, expect, test } from 'vitest'
import { openPlaces, tableNames } from '../../tests/support/backups.ts'
import { withClient } from '../../tests/support/connect.ts'
import { migrate } from '../../tests/support/migrate.ts'
import { until } from '../../tests/support/until.ts'
import { StartError } from '../lib/errors.ts'
import { VERSION } from '../lib/project.ts'
import { type Folders, hasGame, RELEASE } from './migrate.ts'

const paths = openPlaces()

/** Copies this release's SQL for a test to change. */
async function anotherRelease(): Promise<Folders> {
  const folder = paths.newFolder()
  const folders = { migrations: join(folder, 'migrations'), functions: join(folder, 'functions') }
  await cp('sql/migrations', folders.migrations, { recursive: true })
  await cp('sql/functions', folders.functions, { recursive: true })
  return folders
}

const POOL_FUNCTION = 'get_unclaimed_taps.sql'

/** Makes `get_unclaimed_taps` return this amount. */
async function changePoolFunction(folders: Folders, taps: number): Promise<void> {
  const file = join(folders.functions, POOL_FUNCTION)
  const sql = await readFile(file, 'utf8')
  await writeFile(file, sql.replace('select taps from prize_pool where singleton', `select ${taps}::bigint`))
}

async function poolOf(client: ClientBase): Promise<number> {
  const { rows } = await client.query<{ taps: string }>('select get_unclaimed_taps() as taps')
  return Number(rows[0]?.taps)
}

async function inEmptyDatabase(act: (client: ClientBase) => Promise<void>): Promise<void> {
  await withClient(await paths.emptyDatabase(), act)
}

test('numbers the migrations consecutively', async () => {
  const numbers = (await readdir('sql/migrations')).map(file => Number.parseInt(file, 10))
  expect(numbers.sort((one, other) => one - other)).toEqual(numbers.map((_, place) => place + 1))
})

async function checksum(folder: string): Promise<string> {
  const sum = createHash('sha256')
  for (const file of (await readdir(folder)).sort()) sum.update(await readFile(join(folder, file)))
  return sum.digest('hex')
}

test('has a new RELEASE when a function has changed (raise RELEASE and update the checksum here)', async () => {
  expect([RELEASE, await checksum('sql/functions')]).toEqual([
    10,
    '1761abbf31b732ea3c5dff14e23fd76a45a4f028d7ccdbf27e4ab01b217ac7cc',
  ])
})

test('has the same numbered files as before (update the checksum here for a new file)', async () => {
  expect(await checksum('sql/migrations')).toBe(
    '088c0c833969116b9745763791de25f41aa87e99acf608149f9484b316adeced',
  )
})

test('the newest upgrade notes say whether nodes of the release before may keep running', async () => {
  const [, newest = ''] = (await readFile('CHANGELOG.md', 'utf8')).split(/^## /m)
  expect(newest.replaceAll(/\s+/g, ' ')).toMatch(/Restart all nodes together|may run beside this release/)
})

test('creates one game when several nodes start simultaneously', async () => {
  const empty = await paths.emptyDatabase()
  await Promise.all(Array.from({ length: 4 }, () => withClient(empty, client => migrate(client))))
  expect(await withClient(empty, client => hasGame(client))).toBe(true)
  expect(await withClient(empty, poolOf)).toBe(0)
})

describe('the functions', () => {
  test('are applied at every start under one release number, except by an older release', async () => {
    const newer = await anotherRelease()
    await changePoolFunction(newer, 7)
    await inEmptyDatabase(async client => {
      await migrate(client)
      await client.query(`insert into migrations (file, hash, release) values ('claim_taps.sql', '', 4)`)
      await migrate(client, newer, RELEASE + 1)
      expect(await poolOf(client)).toBe(7)
      const { rows } = await client.query('select distinct release, file ~ $1 as numbered from migrations', [
        '^[0-9]{4}_',
      ])
      expect(rows).toEqual([{ release: RELEASE + 1, numbered: true }])
      await expect(migrate(client)).rejects.toThrow(
        new StartError(
          `This game is at release ${RELEASE + 1}, but TAPS ${VERSION} is at release ${RELEASE}: use the newer program`,
        ),
      )
      expect(await poolOf(client)).toBe(7)
    })
  })

  test('all stay unchanged when a single function cannot be applied', async () => {
    const broken = await anotherRelease()
    await changePoolFunction(broken, 7)
    await writeFile(join(broken.functions, 'zzz.sql'), 'create nonsense')
    await inEmptyDatabase(async client => {
      await migrate(client)
      await expect(migrate(client, broken, RELEASE + 1)).rejects.toThrow('zzz.sql failed')
      expect(await poolOf(client)).toBe(0)
      await migrate(client)
    })
  })
})

describe('the views', () => {
  test('are not replaced while their texts stay the same, so that a start waits for no reader', async () => {
    const connection = await paths.emptyDatabase()
    await withClient(connection, async client => {
      await migrate(client)
      await client.query("set lock_timeout = '2 s'")
      await withClient(connection, async reader => {
        const { rows } = await reader.query<{ view: string }>(
          `select viewname as view from pg_views where schemaname = current_schema()`,
        )
        expect(rows.length).toBeGreaterThan(1)
        await reader.query('begin')
        for (const { view } of rows) await reader.query(`select from ${view}`)
        await migrate(client)
      })
    })
  })

  test('are replaced after a change, next to a query that joins them', async () => {
    const newer = await anotherRelease()
    const file = join(newer.functions, 'account_players.sql')
    await writeFile(file, (await readFile(file, 'utf8')).replace(';', ' where player is not null;'))
    const connection = await paths.emptyDatabase()
    await withClient(connection, async client => {
      await migrate(client)
      await client.query("comment on view prize_ends is 'of an earlier release'")
      const pid = await pidOf(client)
      await withClient(connection, async reader => {
        await reader.query('begin')
        await reader.query('select from prize_ends')
        const migrated = migrate(client, newer, RELEASE + 1)
        await until('the upgrade to wait for the reader', () => isBlocked(reader, pid))
        await reader.query('select from account_players')
        await reader.query('commit')
        await migrated
      })
      const { rows } = await client.query("select pg_get_viewdef('account_players') as text")
      expect(rows[0].text).toContain('player IS NOT NULL')
    })
  })
})

async function pidOf(client: ClientBase): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? 0
}

async function isBlocked(client: ClientBase, pid: number): Promise<boolean> {
  const { rows } = await client.query('select from pg_locks where pid = $1 and not granted', [pid])
  return rows.length > 0
}

describe('a database', () => {
  test.each([
    ['another version of a migration', "update migrations set hash = ''", '0001_tables.sql'],
    [
      'a migration that this release lacks',
      "insert into migrations (file, hash, release) values ('0000_game.sql', '', 1)",
      '0000_game.sql',
    ],
  ])('is refused when it was made with %s', async (_, change, file) => {
    await inEmptyDatabase(async client => {
      await migrate(client)
      await client.query(change)
      await expect(migrate(client)).rejects.toThrow(
        new StartError(
          `This game was created with another ${file} than TAPS ${VERSION} has: ` +
            'use the program that created the game, or an empty database',
        ),
      )
    })
  })

  test('is refused and stays unchanged when another program owns its migrations table', async () => {
    const connection = await paths.emptyDatabase()
    await withClient(connection, async client => {
      await client.query(`create table migrations (id integer, batch integer)`)
      await client.query(`insert into migrations values (1, 1)`)
      await expect(migrate(client)).rejects.toThrow(StartError)
    })
    expect(await tableNames(connection)).toEqual(['migrations'])
  })
})

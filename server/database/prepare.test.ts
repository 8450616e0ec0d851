import { randomUUID } from 'node:crypto'
import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { contents, openPlaces } from '../../tests/support/backups.ts'
import { CheckedClient } from '../../tests/support/checked-client.ts'
import { withClient } from '../../tests/support/connect.ts'
import { startGame, TEST_SECRET } from '../../tests/support/game.ts'
import { StartError } from '../lib/start-error.ts'
import { readFingerprint } from './fingerprint.ts'
import { migrate } from './migrate.ts'
import type { Connection } from './pool.ts'
import { requireOwnSession } from './pooler.ts'
import { prepareDatabase } from './prepare.ts'

const OTHER_SECRET = 'another secret that is long enough, too'
const PASSWORD = 'correct horse battery'
const paths = openPlaces()

function prepare(connection: Connection, secret = TEST_SECRET): Promise<void> {
  return withClient(connection, client => prepareDatabase(client, secret))
}

/** The whole of a refusal, which is one line. */
async function refusalOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (error: unknown) => error,
  )
  expect(error).toBeInstanceOf(StartError)
  const { message } = error as StartError
  expect(message).not.toContain('\n')
  return message
}

/** A role that may connect and nothing else; the name needs quotes in SQL. */
async function newRole(owner: Connection): Promise<{ role: string; connection: Connection }> {
  const role = `Web ${randomUUID().slice(0, 8)}`
  await withClient(owner, client => client.query(`create role "${role}" login password 'web'`))
  onTestFinished(() =>
    withClient(owner, async client => {
      await client.query(`drop owned by "${role}"`)
      await client.query(`drop role "${role}"`)
    }),
  )
  return { role, connection: inRole(owner, role) }
}

function inRole(connection: Connection, user: string): Connection {
  const { connectionString } = connection
  if (!connectionString) return { ...connection, user, password: 'web' }
  const url = new URL(connectionString)
  Object.assign(url, { username: encodeURIComponent(user), password: 'web' })
  return { connectionString: url.href }
}

describe('the secret of a game', () => {
  test('is noted at its first start, and another one is refused', async () => {
    const connection = await paths.emptyDatabase()
    await prepare(connection)
    await prepare(connection)
    expect(await refusalOf(prepare(connection, OTHER_SECRET))).toMatch(
      /^SECRET is not the one that this game was made with: set it to what the other nodes, or a backup, have/,
    )
  })

  test('is noted of a game that has none, and never says what it is', async () => {
    const connection = await paths.emptyDatabase()
    await withClient(connection, client => migrate(client))
    await prepare(connection)
    const noted = await withClient(connection, readFingerprint)
    expect(noted).toHaveLength(32)
    expect(noted?.toString('latin1')).not.toContain(TEST_SECRET)
    await expect(prepare(connection, OTHER_SECRET)).rejects.toThrow(StartError)
  })

  test('is the first of two that come at once', async () => {
    const connection = await paths.emptyDatabase()
    const secrets = [TEST_SECRET, OTHER_SECRET]
    const starts = await Promise.allSettled(secrets.map(secret => prepare(connection, secret)))
    expect(starts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })
})

test('a database that is read-only is no place for a game now, and nothing of it is changed', async () => {
  const connection = await paths.emptyDatabase()
  const readOnly = withClient(connection, async client => {
    await client.query('set default_transaction_read_only = on')
    await prepareDatabase(client, TEST_SECRET)
  })
  await expect(readOnly).rejects.toThrow('it is read-only')
  expect(await contents(connection)).toEqual([])
})

test('a connection that is one’s own is taken for that', async () => {
  await requireOwnSession(inject('testServer').connection)
})

describe('a role that does not own the tables', () => {
  test('makes none, and is told what to do', async () => {
    const connection = await paths.emptyDatabase()
    const web = await newRole(connection)
    expect(await refusalOf(prepare(web.connection))).toMatch(
      new RegExp(
        `^The role "${web.role}" of DATABASE_URL may not bring the tables to this release \\(permission denied ` +
          `for schema public\\)\\. As their owner: npm run migrate; then: grant usage on schema public to .*; grant select, .* to "${web.role}"; grant execute`,
      ),
    )
    expect(await contents(connection)).toEqual([])
  })

  test('is told which rights it lacks, and serves the whole game with the ones it is told to get', async () => {
    const connection = await paths.emptyDatabase()
    await prepare(connection)
    const web = await newRole(connection)
    const blind = await refusalOf(prepare(web.connection))
    expect(blind).toContain('permission denied for table migrations')

    await withClient(connection, async client => {
      await client.query(`grant select on all tables in schema public to "${web.role}"`)
      await client.query('revoke execute on all functions in schema public from public')
    })
    const lacking = await refusalOf(prepare(web.connection))
    expect(lacking).toContain('; insert, update, delete on attempts, flags, ')
    expect(lacking).toContain('usage, select on public.attempts_id_seq, ')
    expect(lacking).toMatch(/; execute on .*record_attempts, /)
    expect(lacking).not.toMatch(/\b(migrations|acts|game_secret)\b/)

    await obey(connection, lacking)
    await prepare(web.connection)
    await expectWholeGame(web.connection)
  })
})

/** Does what a refusal says that the owner has to do. */
async function obey(owner: Connection, refusal: string): Promise<void> {
  const [, grants = ''] = /: (grant .*)$/.exec(refusal) ?? []
  await withClient(owner, client => client.query(grants))
}

/** Each act that a player causes, as this role. */
async function expectWholeGame(connection: Connection): Promise<void> {
  const game = await startGame(connection)
  onTestFinished(() => game.close())
  expect((await fetch(`${game.url}/readyz`)).status).toBe(200)
  const client = new CheckedClient(game.url)
  const { round } = await client.session()
  await client.play(round, 0)
  expect((await client.createAccount('Of The Web', PASSWORD)).status).toBe(201)
  expect((await client.post<{ taps: number }>('/api/claim')).body.taps).toBe(1)
  expect((await client.post('/api/logout')).status).toBe(204)
  expect((await client.login('Of The Web', PASSWORD)).status).toBe(200)
  const deleted = await client.post('/api/users/delete', { password: PASSWORD })
  expect(deleted.status).toBe(204)
}

describe('a game that was made with another text of a numbered file', () => {
  test('is refused, and nothing of it is changed', async () => {
    const connection = await paths.emptyDatabase()
    const folder = paths.newFolder()
    const folders = { migrations: join(folder, 'migrations'), acts: join(folder, 'acts') }
    await cp('sql/migrations', folders.migrations, { recursive: true })
    await cp('sql/acts', folders.acts, { recursive: true })
    await withClient(connection, async client => {
      await migrate(client, folders)
      await writeFile(join(folders.migrations, '0001_tables.sql'), 'select 1')
      await client.query(`delete from acts where file = 'claim_taps.sql'`)
      expect(await refusalOf(migrate(client, folders))).toBe(
        'This game was made with another 0001_tables.sql than the one that is here: put the file back as it was released',
      )
      expect((await client.query(`select from acts where file = 'claim_taps.sql'`)).rowCount).toBe(0)
    })
  })
})

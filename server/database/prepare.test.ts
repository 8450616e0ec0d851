import { randomUUID } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openPlaces, tableNames } from '../../tests/support/backups.ts'
import { withClient } from '../../tests/support/connect.ts'
import { TEST_SECRET } from '../../tests/support/game.ts'
import { checkLedger } from '../commands/ledger.ts'
import { deriveKeys } from '../lib/derived-keys.ts'
import { StartError } from '../lib/errors.ts'
import type { Connection } from './connection.ts'
import { readPasswordKey, replaceFingerprint } from './fingerprint.ts'
import { prepareDatabase } from './prepare.ts'

const OTHER_SECRET = 'another secret that is long enough, too'
const paths = openPlaces()

function prepare(connection: Connection, secret = TEST_SECRET): Promise<void> {
  return withClient(connection, client => prepareDatabase(client, secret, () => undefined))
}

/** Expects a refusal with a one-line message. Returns the message. */
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

/** Creates a role that may only connect, with a name that needs quotes in SQL. */
async function newRole(owner: Connection): Promise<Connection> {
  const role = `Web ${randomUUID().slice(0, 8)}`
  await withClient(owner, client => client.query(`create role "${role}" login password 'web'`))
  onTestFinished(() =>
    withClient(owner, async client => {
      await client.query(`drop owned by "${role}"`)
      await client.query(`drop role "${role}"`)
    }),
  )
  return inRole(owner, role)
}

function inRole(connection: Connection, user: string): Connection {
  return { ...connection, user, password: 'web' }
}

test('the secret comes from one node when two nodes with different secrets start simultaneously', async () => {
  const connection = await paths.emptyDatabase()
  const secrets = [TEST_SECRET, OTHER_SECRET]
  const starts = await Promise.allSettled(secrets.map(secret => prepare(connection, secret)))
  expect(starts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})

describe('the key that passwords are hashed with', () => {
  const keyOf = (connection: Connection) => withClient(connection, readPasswordKey)

  test('is random in a new game, and stays the same', async () => {
    const [one, other] = [await paths.emptyDatabase(), await paths.emptyDatabase()]
    await prepare(one)
    await prepare(other)
    const key = await keyOf(one)
    expect(key).toHaveLength(32)
    expect(key).not.toEqual(await keyOf(other))
    expect(await refusalOf(prepare(one, OTHER_SECRET))).toMatch(/^SECRET differs from the game's secret/)
    await withClient(one, client => replaceFingerprint(client, OTHER_SECRET))
    await prepare(one, OTHER_SECRET)
    expect(await keyOf(one)).toEqual(key)
  })

  test('comes from the secret in a game of an earlier release, whose passwords stay valid', async () => {
    const connection = await paths.emptyDatabase()
    await prepare(connection)
    await withClient(connection, client => client.query('update game_secret set password_key = null'))
    await expect(keyOf(connection)).rejects.toThrow(/start the server first/)
    await expect(prepare(connection, OTHER_SECRET)).rejects.toThrow(StartError)
    await prepare(connection)
    expect(await keyOf(connection)).toEqual(deriveKeys(TEST_SECRET).pepper)
  })
})

test('refuses a database whose encoding is not UTF8', async () => {
  const refusal = await refusalOf(prepare(await paths.emptyDatabase('SQL_ASCII')))
  expect(refusal).toBe('The database must have the encoding UTF8, not SQL_ASCII: createdb --encoding=UTF8')
})

describe('a role that does not own the database', () => {
  test("is refused with PostgreSQL's reason, and creates no table", async () => {
    const connection = await paths.emptyDatabase()
    expect(await refusalOf(prepare(await newRole(connection)))).toBe(
      'The role of DATABASE_URL cannot create or change the tables (permission denied for schema public): ' +
        'let the role own the database or a schema that has the name of the role',
    )
    expect(await tableNames(connection)).toEqual([])
  })

  test('can keep the game in a schema that has the name of the role', async () => {
    const connection = await paths.emptyDatabase()
    const role = await newRole(connection)
    await withClient(connection, client => client.query(`create schema authorization "${role.user}"`))
    await prepare(role)
    await prepare(role)
    expect(await withClient(role, checkLedger)).toMatchObject({ ok: true })
    expect(await tableNames(connection)).toEqual([])
  })
})

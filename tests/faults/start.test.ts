import { once } from 'node:events'
import { readFile, rename, stat } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Client } from '../support/client.ts'
import { runBuilt } from '../support/command.ts'
import { withClient } from '../support/connect.ts'
import { createTestDatabase } from '../support/database.ts'
import { freePort } from '../support/free-port.ts'
import { ServerNode, type Settings } from '../support/node.ts'
import { connectionOf, SHARED_SECRET, settingsFor } from '../support/shared-postgres.ts'
import { ownStage } from '../support/stage.ts'
import { until } from '../support/until.ts'

const HOST = '127.0.0.1'
const PASSWORD = 'correct horse battery'

const stage = ownStage()

/** Expects a start to fail. Returns the messages of its log, which must not contain a secret. */
async function failedStart(settings: Settings): Promise<string[]> {
  const port = await freePort(HOST)
  const node = ServerNode.launch({ RATE_LIMITS: 'on', PORT: `${port}`, ...settings })
  onTestFinished(() => node.end('SIGKILL'))
  await node.exited
  expect(node.exitCode).toBe(1)
  const { DATABASE_URL = SHARED_SECRET } = settings
  for (const secret of [SHARED_SECRET, DATABASE_URL]) expect(node.output).not.toContain(secret)
  return node.sentences
}

test('a start exits with code 1 and one line when nothing listens at DATABASE_URL', async () => {
  const connection = { ...(await connectionOf(stage.dataDir)), host: HOST, port: await freePort(HOST) }
  expect(await failedStart(settingsFor(connection))).toEqual([
    expect.stringMatching(/^The database cannot be used \(connect ECONNREFUSED .*\); check DATABASE_URL$/),
  ])
})

test('a start exits with code 1 and one line when the database accepts connections but never answers', async () => {
  const silent = createServer().listen(0, HOST)
  onTestFinished(() => void silent.close())
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const connection = { ...(await connectionOf(stage.dataDir)), host: HOST, port }
  expect(await failedStart(settingsFor(connection))).toEqual([
    expect.stringMatching(/^The database cannot be used \(.*timeout.*\); check DATABASE_URL$/),
  ])
})

test('a start exits with code 1 and one line when the database is read-only', async () => {
  await stage.auditor.once('create database standby')
  await stage.auditor.once('alter database standby set default_transaction_read_only = on')
  const connection = { ...(await connectionOf(stage.dataDir)), database: 'standby' }
  expect(await failedStart(settingsFor(connection))).toEqual([
    'The database is read-only; set DATABASE_URL to the primary',
  ])
})

test('a start exits with code 1 and one line when no poll succeeds within 10 s', async () => {
  const { connection, drop } = await createTestDatabase()
  onTestFinished(drop)
  await withClient(connection, client => client.query('delete from prize_pool'))
  expect(await failedStart(settingsFor(connection))).toEqual([
    'The database cannot be used (The pool has no row); check DATABASE_URL',
  ])
})

test('a start with DATABASE_URL exits with code 1 and one line when the data folder holds a game', async () => {
  const { dataDir } = stage
  expect(await failedStart({ ...settingsFor(await connectionOf(dataDir)), DATA_DIR: dataDir })).toEqual([
    `${dataDir} holds a game in the embedded database, but DATABASE_URL names another database: ` +
      `unset DATABASE_URL, or move the game with ./taps backup and ./taps restore, then rename ${dataDir}/postgres`,
  ])
})

test('a start fails when the secret is lost, until the operator creates a new secret, which keeps passwords', async () => {
  const secret = join(stage.dataDir, 'secret')
  await new Client(stage.node.url).createAccount('Kept', PASSWORD)
  const rows = await stage.auditor.rows('select password_hash from users')
  expect(rows).toEqual([{ password_hash: expect.stringMatching(/^\$2b\$10\$/) }])
  await stage.node.end('SIGTERM')
  await rename(secret, `${secret}.mislaid`)

  const line = (await failedStart(stage.settings())).at(-1)
  expect(line).toMatch(/^SECRET differs from the game's secret; [^\n]+$/)

  // The error names the command that creates a new secret.
  const [, command = ''] = /: \.\/taps (\S+)$/.exec(line ?? '') ?? []
  expect(await runBuilt(command, [], stage.settings())).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Passwords and sessions stay valid'),
  })
  expect((await stat(secret)).mode & 0o777).toBe(0o600)
  expect((await readFile(secret, 'utf8')).trim().length).toBeGreaterThanOrEqual(32)

  // No process reads the output of this server, which must work and stop in order.
  const port = await freePort(HOST)
  const node = ServerNode.launch({ ...stage.settings(), PORT: `${port}` })
  node.stopReading()
  const login = () => new Client(`http://${HOST}:${port}`).login('Kept', PASSWORD)
  const isServed = async () => (await login().catch(() => null))?.status === 200
  await until('the login to succeed', isServed)
  await node.end('SIGTERM')
  expect(node.exitCode).toBe(0)
})

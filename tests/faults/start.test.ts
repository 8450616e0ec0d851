import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { withClient } from '../support/connect.ts'
import { freePort } from '../support/free-port.ts'
import { ServerNode, type Settings } from '../support/node.ts'
import { relayedStage } from '../support/stage.ts'

const HOST = '127.0.0.1'
const SECRET = 'a secret that no line of the log may show'

const stage = relayedStage('cut')

async function failedStart(settings: Settings = stage.postgres.settings(stage.relay.connection)) {
  const { DATABASE_URL } = settings
  const port = await freePort(HOST)
  const node = ServerNode.launch({ ...settings, SECRET, RATE_LIMITS: 'on', PORT: `${port}` })
  onTestFinished(() => node.end('SIGKILL'))
  await node.exited
  expect(node.exitCode).toBe(1)
  expect(node.output).not.toContain(SECRET)
  expect(node.output).not.toContain(DATABASE_URL)
  return node.sentences
}

test('a start exits with code 1 and one line when nothing listens at DATABASE_URL', async () => {
  expect(await failedStart()).toEqual([
    expect.stringMatching(/^The database cannot be used \(connect ECONNREFUSED .*\); check DATABASE_URL$/),
  ])
})

test('a start exits with code 1 and one line when the database accepts connections but never answers', async () => {
  stage.relay.hang()
  await stage.relay.repair()
  expect(await failedStart()).toEqual([
    expect.stringMatching(/^The database cannot be used \(.*timeout.*\); check DATABASE_URL$/),
  ])
  stage.relay.resume()
})

test('a start exits with code 1 and the message of PostgreSQL when the database does not exist', async () => {
  expect(await failedStart(stage.postgres.settings(undefined, 'nowhere'))).toEqual([
    'The database cannot be used (database "nowhere" does not exist); check DATABASE_URL',
  ])
})

test('a start with DATABASE_URL exits with code 1 and one line when the data folder holds a game', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'taps-start-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  await mkdir(join(dataDir, 'postgres'))
  expect(await failedStart({ ...stage.postgres.settings(), DATA_DIR: dataDir })).toEqual([
    `${dataDir} holds a game in the embedded database, but DATABASE_URL names another database: ` +
      `unset DATABASE_URL, or move the game with ./taps backup and ./taps restore, then rename ${dataDir}/postgres`,
  ])
})

test('a start exits with code 1 and one line when the database is read-only', async () => {
  await withClient(stage.postgres.connection, client =>
    client.query('alter database taps set default_transaction_read_only = on'),
  )
  expect(await failedStart(stage.postgres.settings())).toEqual([
    'The database is read-only; set DATABASE_URL to the primary',
  ])
})

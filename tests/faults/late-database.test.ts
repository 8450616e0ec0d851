import { expect, onTestFinished, test, vi } from 'vitest'
import { Client } from '../support/client.ts'
import { withClient } from '../support/connect.ts'
import { freePort } from '../support/free-port.ts'
import { ServerNode, type Settings } from '../support/node.ts'
import { relayedStage } from '../support/stage.ts'

const HOST = '127.0.0.1'
/** Far more than a busy machine needs to load the program. */
const SOON = { timeout: 60_000, interval: 20 }
const WAITING = 'the database is away: waiting for it'

const stage = relayedStage('cut')

/** Starts a node whose database is not there yet, and waits until it can be reached. */
async function launch(settings: Settings = stage.postgres.settings(stage.relay.connection)) {
  const port = await freePort(HOST)
  const node = ServerNode.launch({ ...settings, PORT: `${port}` })
  const url = `http://${HOST}:${port}`
  onTestFinished(() => node.end('SIGKILL'))
  await vi.waitFor(() => fetch(`${url}/healthz`), SOON)
  return { node, url }
}

async function expectWaiting(url: string): Promise<void> {
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  expect((await fetch(`${url}/readyz`)).status).toBe(503)
  const page = await fetch(url)
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  for (const path of ['/api/session', '/api/live', '/api/leaderboard']) {
    const answer = await fetch(url + path)
    expect([path, answer.status, answer.headers.get('retry-after')]).toEqual([path, 503, '1'])
    expect(await answer.json()).toMatchObject({ status: 503, code: 'unavailable' })
  }
}

test('a database that is silent and then refuses is waited for: a node says so once, and is ready when it comes', async () => {
  stage.relay.hang()
  await stage.relay.mend()
  const { node, url } = await launch()
  await vi.waitUntil(() => node.output.includes(WAITING), SOON)
  await expectWaiting(url)
  await stage.relay.cut()
  stage.relay.resume()
  await expectWaiting(url)
  expect(node.output).not.toMatch(/is ready|could not be served/)

  await stage.relay.mend()
  await node.ready()
  expect(node.output.split(WAITING)).toHaveLength(2)
  const client = new Client(url)
  const { round } = await client.session()
  expect((await client.play(round, 300)).status).toBe(201)
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  await node.end('SIGTERM')
})

test('a node that waits for a database that is read-only ends when it is told to, and warns nobody', async () => {
  await withClient(stage.postgres.connection, client =>
    client.query('alter database taps set default_transaction_read_only = on'),
  )
  const { node, url } = await launch(stage.postgres.settings())
  await vi.waitUntil(() => node.output.includes('read-only'), SOON)
  await expectWaiting(url)
  const before = node.sentences
  // As a terminal does that is closed.
  await node.end('SIGHUP')
  expect(node.exitCode).toBe(0)
  expect(node.sentences).toEqual([...before, 'TAPS has stopped'])
})

import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { Client } from '../support/client.ts'
import { withClient } from '../support/connect.ts'
import { freePort } from '../support/free-port.ts'
import { ServerNode, type Settings } from '../support/node.ts'
import { relayedStage } from '../support/stage.ts'

const HOST = '127.0.0.1'
/** Far above what a busy machine takes to read the program. */
const SOON = { timeout: 60_000, interval: 20 }
const WAITING = 'the database is away: waiting for it'

const stage = relayedStage('cut')

/** A node that has no database yet, once it can be reached. */
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

const absences = [
  { how: 'refuses', begin: async () => undefined, end: () => stage.relay.mend() },
  {
    how: 'is silent',
    begin: async () => {
      stage.relay.hang()
      await stage.relay.mend()
    },
    end: async () => stage.relay.resume(),
  },
]

describe.each(absences)('a database that $how', ({ begin, end }) => {
  test('is waited for: a node listens, says so once, and is ready when it comes', async () => {
    await begin()
    const { node, url } = await launch()
    await vi.waitUntil(() => node.output.includes(WAITING), SOON)
    await expectWaiting(url)
    expect(node.output).not.toMatch(/is ready|could not be served/)
    await end()
    await node.ready()
    expect(node.output.split(WAITING)).toHaveLength(2)
    const client = new Client(url)
    const { round } = await client.session()
    expect((await client.play(round, 300)).status).toBe(201)
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    await node.end('SIGTERM')
    await stage.relay.cut()
  })
})

test('a node that waits ends when it is told to, and warns nobody', async () => {
  const { node } = await launch()
  await vi.waitUntil(() => node.output.includes(WAITING), SOON)
  const before = node.output
  await node.end('SIGTERM')
  expect(node.exitCode).toBe(0)
  expect(node.output).toBe(before)
})

test('a database that is read-only is waited for', async () => {
  await withClient(stage.postgres.connection, async client => {
    await client.query('alter database taps set default_transaction_read_only = on')
    const { node, url } = await launch(stage.postgres.settings())
    await vi.waitUntil(() => node.output.includes('read-only'), SOON)
    await expectWaiting(url)
    await client.query('alter database taps reset default_transaction_read_only')
    await node.ready()
    await node.end('SIGTERM')
  })
})

import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { Client } from '../support/client.ts'
import { withClient } from '../support/connect.ts'
import { freePort } from '../support/free-port.ts'
import { ServerNode, type Settings } from '../support/node.ts'
import { LONG, sized } from '../support/size.ts'
import { relayedStage } from '../support/stage.ts'

const HOST = '127.0.0.1'
/** A node that waits listens within this; on a busy machine the program itself takes seconds to be read. */
const LISTENS_MS = 20_000
/** Attempts to reach the database are a second apart. */
const TRIES_MS = 2_500
/** What a stop may take on a busy machine; it waits for nothing. */
const STOPS_MS = 5_000
const WAITING = 'the database is away: waiting for it'

const stage = relayedStage('cut')

/** A node that has no database yet, once it can be reached. */
async function launch(settings: Settings = stage.postgres.settings(stage.relay.connection)) {
  const port = await freePort(HOST)
  const node = ServerNode.launch({ ...settings, PORT: `${port}` })
  const url = `http://${HOST}:${port}`
  onTestFinished(() => node.end('SIGKILL'))
  const status = (path: string) => fetch(url + path).then(answer => answer.status)
  await vi.waitFor(() => status('/healthz'), { timeout: LISTENS_MS, interval: 20 })
  return { node, url, status }
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
    await expectWaiting(url)
    await sleep(TRIES_MS)
    await expectWaiting(url)
    expect(node.output.split(WAITING)).toHaveLength(2)
    expect(node.output).not.toMatch(/is ready|could not be served/)
    await end()
    await node.ready()
    const client = new Client(url)
    const { round } = await client.session()
    expect((await client.play(round, 300)).status).toBe(201)
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    await node.end('SIGTERM')
    await stage.relay.cut()
  })
})

const SIGNALS: readonly NodeJS.Signals[] = sized(['SIGTERM'], ['SIGTERM', 'SIGINT'])

test.each(SIGNALS)('%s ends a node that waits at once, and warns nobody', async signal => {
  const { node } = await launch()
  await vi.waitUntil(() => node.output.includes(WAITING), { timeout: LISTENS_MS })
  const before = node.output
  const began = performance.now()
  await node.end(signal)
  expect(node.exitCode).toBe(0)
  expect(node.output).toBe(before)
  expect(performance.now() - began).toBeLessThan(STOPS_MS)
})

test.runIf(LONG)('a host that has no address yet is waited for', async () => {
  const { node, url } = await launch(stage.postgres.settings({ host: 'database.invalid', port: 5432 }))
  await expectWaiting(url)
  await vi.waitUntil(() => node.output.includes('database.invalid'), { timeout: LISTENS_MS })
  await node.end('SIGTERM')
  expect(node.exitCode).toBe(0)
})

test('a database that is read-only is waited for', async () => {
  await withClient(stage.postgres.connection, async client => {
    await client.query('alter database taps set default_transaction_read_only = on')
    const { node, url } = await launch(stage.postgres.settings())
    await expectWaiting(url)
    await vi.waitUntil(() => node.output.includes('read-only'), { timeout: LISTENS_MS })
    await client.query('alter database taps reset default_transaction_read_only')
    await node.ready()
    await node.end('SIGTERM')
  })
})

import { once } from 'node:events'
import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, test } from 'vitest'
import { CONNECTIONS } from '../../contract/limits.ts'
import { PROBLEMS } from '../../contract/problems.ts'
import { exhaust, NAMED_WAIT_S } from '../../tests/support/exhaust.ts'
import type { TestGame } from '../../tests/support/game.ts'
import { until } from '../../tests/support/until.ts'
import { openSocket } from '../../tests/support/wire.ts'
import { openWorld } from '../../tests/support/world.ts'
import { SAFE_HEADERS } from './headers.ts'

const world = openWorld({ rateLimits: true })
const VISITOR = '192.0.2.7'
const FROM_VISITOR = { headers: { 'x-forwarded-for': VISITOR } }

/** A node that trusts this machine as its proxy. */
let proxied: TestGame
beforeAll(async () => {
  proxied = await world.addNode({ trustProxy: ['loopback'] })
})

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nhost: x\r\n${headers}\r\n`

/** Sends bytes and returns the first chunk of the answer. */
async function ask(socket: Socket, bytes: string): Promise<string> {
  socket.write(bytes)
  const [answer] = await once(socket, 'data')
  return String(answer)
}

async function refusals({ app }: TestGame): Promise<number | undefined> {
  const { values } = await app.metrics.refused.get()
  return values[0]?.value
}

describe('an address beyond its request limit', () => {
  test('receives a 429 problem, and the connection is closed', async () => {
    const node = await world.addNode()
    exhaust(node, '127.0.0.1', 'requests')
    const { status, body, headers } = await world.newcomer(node).get('/healthz')
    expect(status).toBe(429)
    expect(body).toEqual({ ...PROBLEMS.too_many_requests, code: 'too_many_requests' })
    expect(Object.fromEntries(headers)).toMatchObject({ ...SAFE_HEADERS, connection: 'close' })
    expect(headers.get('content-type')).toMatch(/^application\/problem\+json/)
    expect(headers.get('retry-after')).toBe(`${NAMED_WAIT_S}`)
    expect(await refusals(node)).toBe(1)
  })

  test("receives a 429 through a proxy, and the proxy's connection stays open", async () => {
    exhaust(proxied, VISITOR, 'requests')
    const from = (address: string) => get('/healthz', `x-forwarded-for: ${address}\r\n`)
    const socket = await openSocket(proxied.url)
    expect(await ask(socket, from(VISITOR))).toMatch(/^HTTP\/1.1 429 /)
    expect(await ask(socket, from('192.0.2.8'))).toMatch(/^HTTP\/1.1 200 /)
    socket.destroy()
  })

  test('is refused even when the URL is invalid', async () => {
    exhaust(proxied, VISITOR, 'requests')
    expect((await world.newcomer(proxied).send('/%zz', FROM_VISITOR)).status).toBe(429)
  })
})

describe('the connections of an address', () => {
  /** Checks whether a new connection is served. */
  const isServed = async ({ url }: TestGame) => {
    const socket = await openSocket(url)
    socket.write(get('/healthz', 'connection: close\r\n'))
    return (await text(socket).catch(() => '')).startsWith('HTTP/1.1 200')
  }

  /** Takes connections of this address, without opening them. */
  const take = ({ app }: TestGame, count: number) => {
    for (let n = 0; n < count; n += 1) app.connectionLimit.acquire('127.0.0.1')
  }

  test('are limited to 3,200 at a time', async () => {
    expect(CONNECTIONS.ofAddress).toBe(3_200)
    const node = await world.addNode()
    take(node, CONNECTIONS.ofAddress - 1)
    const last = await openSocket(node.url)
    expect(await isServed(node)).toBe(false)
    last.destroy()
    await until('a connection to be accepted again', () => isServed(node))
  })

  test("are limited only by the server's total limit when the address is a trusted proxy", async () => {
    take(proxied, CONNECTIONS.ofAddress)
    expect(await isServed(proxied)).toBe(true)
    expect(proxied.server.server.maxConnections).toBe(CONNECTIONS.ofAll)
  })
})

test.each([
  ['400 for an invalid URL', '/%zz', 400],
  ['429 beyond the request limit', '/healthz', 429],
])(
  'answers %s to a request whose body has not fully arrived, and closes the connection',
  async (_, path, status) => {
    if (status === 429) exhaust(proxied, VISITOR, 'requests')
    const headers = `content-length: 2\r\nx-forwarded-for: ${VISITOR}\r\n`
    const answer = await ask(await openSocket(proxied.url), `${get(path, headers)}x`)
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} .*\r\nconnection: close\r\n`, 'is'))
  },
)

test('keeps the connection open after a request whose body has arrived', async () => {
  const request = get('/api/logout', 'content-type: application/json\r\ncontent-length: 2\r\n')
  const answer = await ask(await openSocket(proxied.url), `${request.replace('GET', 'POST')}{}`)
  expect(answer).toMatch(/^HTTP\/1.1 204 .*\r\nconnection: keep-alive\r\n/is)
})

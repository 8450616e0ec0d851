import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openWorld } from '../../tests/support/world.ts'

const world = openWorld()

const FILE = 'GET /api/docs/static/swagger-ui-bundle.js HTTP/1.1\r\nhost: x\r\n\r\n'

/** A connection on which nothing of what the server says is taken. */
async function deaf() {
  const { hostname, port } = new URL(world.game.url)
  const socket = connect({ host: hostname, port: Number(port) }).pause()
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

/** What is heard until so many answers have come. */
async function ask(pieces: readonly string[], answers: number): Promise<string[]> {
  const { hostname, port } = new URL(world.game.url)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  let heard = ''
  socket.setEncoding('latin1').on('data', piece => {
    heard += piece
  })
  for (const piece of pieces) {
    socket.write(piece)
    await setImmediate()
  }
  await vi.waitUntil(() => heard.split('HTTP/1.1 ').length > answers, { timeout: 60_000 })
  socket.destroy()
  return Array.from(heard.matchAll(/HTTP\/1\.1 (\d+)/g), ([, status = '']) => status)
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`
const PATHS = ['/healthz', '/nowhere', '/api/prize-pool', '/healthz']
const STATUSES = ['200', '404', '200', '200']

test('requests sent one behind the other are answered in order, however they are cut on the way', async () => {
  const json = '{"username":"\\r\\n\\r\\n","password":""}'
  const head = 'POST /api/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n'
  const post = `${head}content-length: ${json.length}\r\n\r\n${json}`
  const chunks = `${head}transfer-encoding: chunked\r\n\r\n${json.length.toString(16)}\r\n${json}\r\n0\r\n\r\n`
  const all = `\r\n\r\n${PATHS.map(get).join('')}${post}${get('/healthz')}${post}${chunks}`
  const statuses = [...STATUSES, '400', '200', '400', '400']
  for (const length of [1, 2, 3, 7, 64, all.length]) {
    const pieces = all.match(new RegExp(`[^]{1,${length}}`, 'g')) ?? []
    expect(await ask(pieces, statuses.length), `in pieces of ${length}`).toEqual(statuses)
  }
})

/** How many requests are served, and the most of them at once that are of one connection. */
function countRequests() {
  const { server } = world.game.app
  const counts = { served: 0, most: 0 }
  const underWay = new WeakMap<Socket, number>()
  const change = (socket: Socket, by: number) => {
    const count = (underWay.get(socket) ?? 0) + by
    underWay.set(socket, count)
    counts.most = Math.max(counts.most, count)
  }
  const count = ({ socket }: IncomingMessage, response: ServerResponse) => {
    counts.served += 1
    change(socket, 1)
    response.once('close', () => change(socket, -1))
  }
  server.prependListener('request', count)
  onTestFinished(() => void server.off('request', count))
  return counts
}

test('one request of a connection is under way at a time, and what comes after it is not read', async () => {
  const socket = await deaf()
  const counts = countRequests()
  socket.write(get('/healthz').repeat(300) + FILE.repeat(300))
  await vi.waitUntil(() => counts.served > 300, { timeout: 60_000 })
  socket.resume()
  await vi.waitUntil(() => counts.served > 310, { timeout: 60_000 })
  socket.destroy()
  expect(counts.most).toBe(1)
})

const CHUNKED = 'transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n'
const MANY_HEADERS = Array.from({ length: 1_100 }, (_, n) => `h${n}: \r\n`).join('')

test.each([
  ['a body in chunks', `${CHUNKED}\r\n`],
  ['trailers', `${CHUNKED}a: b\r\n\r\n`],
  ['empty lines in chunks', 'transfer-encoding: chunked\r\n\r\na\r\n{\r\n\r\n\r\n\r\n}\r\n0\r\n\r\n'],
  ['a length behind a thousand headers', `${MANY_HEADERS}content-length: 2\r\n\r\n{}`],
  ['chunks behind a thousand headers', `${MANY_HEADERS}${CHUNKED}\r\n`],
])('behind %s one request is under way at a time as well', async (_, rest) => {
  const counts = countRequests()
  const post = `POST /api/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${rest}`
  const statuses = await ask([post + get('/healthz').repeat(200)], 201)
  expect(statuses).toEqual(['400', ...Array.from({ length: 200 }, () => '200')])
  expect(counts.most).toBe(1)
})

test.each([
  ['tiny chunks', `${'1\r\na\r\n'.repeat(10_000)}0\r\n\r\n`],
  ['empty lines in a chunk', `9c40\r\n${'\r\n'.repeat(20_000)}\r\n0\r\n\r\n`],
])('everybody else has turns while a body of %s is read', async (_, body) => {
  const { server } = world.game.app
  let turns = 0
  const count = (request: IncomingMessage) => {
    const turn = () => {
      turns += 1
      if (!request.complete) globalThis.setImmediate(turn)
    }
    turn()
  }
  server.once('request', count)
  await ask(
    [`GET /healthz HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n${body}${get('/healthz')}`],
    2,
  )
  expect(turns).toBeGreaterThan(9)
})

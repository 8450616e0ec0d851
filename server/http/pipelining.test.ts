import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openSocket } from '../../tests/support/wire.ts'
import { openWorld } from '../../tests/support/world.ts'

const world = openWorld()

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`
const CHUNKED =
  'POST /api/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n'

const open = async (game = world.game) => (await openSocket(game.url)).on('error', () => undefined)

/** Counts what is parsed to be a request. */
function countRequests() {
  const counted = vi.fn()
  const { server } = world.game.app
  server.prependListener('request', counted)
  onTestFinished(() => void server.off('request', counted))
  return counted.mock
}

test('requests of a connection are served one after the other, however they are cut on the way', async () => {
  const socket = await open()
  for (const path of ['/healthz', '/nowhere', '/api/prize-pool']) {
    for (const piece of get(path).match(/.{1,4}/gs) ?? []) socket.write(piece)
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toMatch(path === '/nowhere' ? /^HTTP\/1\.1 404/ : /^HTTP\/1\.1 200/)
  }
  socket.destroy()
})

test.each([
  ['that are plain', get('/api/prize-pool').repeat(700)],
  ['that name an expectation', get('/healthz').replace('host', 'expect: x\r\nhost').repeat(500)],
])(
  'of requests %s, one before the last is answered ends the connection, and those behind it are not read',
  async (_, requests) => {
    const counts = countRequests()
    const socket = await open()
    socket.pause()
    socket.write(requests)
    await new Promise(resolve => socket.once('close', resolve))
    expect(counts.calls.length).toBeGreaterThan(1)
    expect(counts.calls.length).toBeLessThan(30)
  },
)

test('a body in chunks is refused, and no more of it is read', async () => {
  const socket = await open()
  socket.write(`${CHUNKED}${'1\r\na\r\n'.repeat(5_000)}0\r\n\r\n`)
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 .*"code":"invalid_request"/s)
})

test.each([
  ['in chunks', `${CHUNKED}0\r\n\r\n`],
  ['too long', CHUNKED.replace('transfer-encoding: chunked', 'content-length: 8193') + ' '.repeat(8_193)],
])('behind a request whose body is %s no stream begins, which nothing would ever end', async (_, refused) => {
  const find = vi.spyOn(world.game.services.visitors, 'find')
  const socket = await open()
  socket.write(refused + get('/api/live'))
  await text(socket)
  expect(find).not.toHaveBeenCalled()
})

test.each([
  ['blank lines', ['\r\n'.repeat(20_000)]],
  ['single letters', [...'x'.repeat(33)]],
])('a connection that sends %s without end is refused', async (_, pieces) => {
  const socket = await open()
  const answer = text(socket)
  for (const piece of pieces) {
    socket.write(piece)
    await nextTurn()
  }
  expect(await answer).toMatch(/^HTTP\/1\.1 400 /)
})

test.each([
  ['served', '/healthz', 200],
  ['refused', '/nowhere', 404],
  ['of no URL', '/%zz', 400],
])(
  'an answer before all of the body has come ends the connection, which a proxy may use for another: %s',
  async (_, path, status) => {
    const socket = await open()
    socket.write(`${get(path).replace('host', 'content-length: 2\r\nhost')}x`)
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toMatch(new RegExp(`^HTTP/1.1 ${status} .*\r\nconnection: close\r\n`, 'is'))
  },
)

test('a request has a hundred headers at most, which hides no chunks behind them, and no long URL', async () => {
  const ask = async (request: string, headers: number) => {
    const socket = await open()
    socket.write(request.replace('\r\n', `\r\n${'h:\r\n'.repeat(headers)}`))
    const [answer] = await once(socket, 'data')
    socket.destroy()
    return String(answer).slice(0, 'HTTP/1.1 200'.length)
  }
  expect(await ask(get('/healthz'), 99)).toBe('HTTP/1.1 200')
  expect(await ask(get('/healthz'), 100)).toBe('HTTP/1.1 431')
  expect(await ask(CHUNKED, 1_100)).toBe('HTTP/1.1 431')
  expect(await ask(get(`/${'../'.repeat(700)}`), 0)).toBe('HTTP/1.1 431')
})

test('the networks of visitors take turns behind a proxy, too', async () => {
  const node = await world.addNode({ trustProxy: ['127.0.0.1'], rateLimits: true })
  const visitors = ['192.0.2.7', '192.0.2.7', '192.0.2.7', '192.0.2.8']
  const sockets = await Promise.all(visitors.map(() => open(node)))
  const ask = (from: string) => {
    const answers = sockets.map(socket => once(socket, 'data'))
    for (const [n, socket] of sockets.entries()) {
      socket.write(get('/healthz').replace('host', `x-forwarded-for: ${from || visitors[n]}\r\nhost`))
    }
    return Promise.all(answers)
  }
  await ask('192.0.2.9') // Then all are accepted.
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
  const take = vi.spyOn(node.services.limits, 'take')
  take.mockImplementation(() => {
    clock.mockReturnValue(performance.now() + 1_000)
    return () => undefined
  })
  await ask('')
  for (const socket of sockets) socket.destroy()
  expect(take.mock.calls).toEqual([0, 1, 3, 2].map(n => ['requests', visitors[n]]))
})

import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { expect, test, vi } from 'vitest'
import { openWorld } from '../testing/world.ts'

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

/** The server's open files, which are ours as well: it runs in this process. */
const openFiles = async () => (await readdir('/proc/self/fd')).length

test.runIf(process.platform === 'linux')(
  'a connection holds one file, however many it asks for, and lets go of it in the end',
  async () => {
    await world.newcomer().get('/healthz')
    const before = await openFiles()
    const sockets = await Promise.all(Array.from({ length: 10 }, deaf))
    for (const socket of sockets) socket.write(FILE.repeat(50))
    // Both ends of each connection, and a file.
    await vi.waitUntil(async () => (await openFiles()) >= before + 30, { timeout: 10_000 })
    await world.newcomer().get('/healthz')
    expect(await openFiles()).toBeLessThan(before + 50)
    for (const socket of sockets) socket.destroy()
    await vi.waitUntil(async () => (await openFiles()) <= before + 5, { timeout: 10_000 })
  },
)

test('a connection on which more than a hundred requests wait is closed', async () => {
  const socket = await deaf()
  const closed = once(socket, 'close')
  socket.write(FILE.repeat(110))
  // What has been sent is taken first; the end comes after it.
  socket.resume()
  await closed
  expect(socket.bytesRead).toBeLessThan(110 * 1_500_000)
})

test('requests sent one behind the other are answered in order', async () => {
  const { hostname, port } = new URL(world.game.url)
  const socket = connect({ host: hostname, port: Number(port) })
  const paths = ['/healthz', '/nowhere', '/api/prize-pool', '/healthz']
  let heard = ''
  socket.on('data', piece => {
    heard += piece
  })
  socket.write(paths.map(path => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`).join(''))
  await vi.waitUntil(() => heard.split('HTTP/1.1 ').length > paths.length, { timeout: 15_000 })
  socket.destroy()
  const statuses = Array.from(heard.matchAll(/HTTP\/1\.1 (\d+)/g), ([, status]) => status)
  expect(statuses).toEqual(['200', '404', '200', '200'])
})

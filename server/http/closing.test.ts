import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Client } from '../../tests/support/client.ts'
import type { TestGame } from '../../tests/support/game.ts'
import { openWorld } from '../../tests/support/world.ts'

const world = openWorld()

/** Below the 75 s that a connection may be idle and the 10 s after which a close is cut off; a busy machine is slow. */
const SOON_MS = 8_000

/** Closes a node, which has to be done soon. */
async function closeSoon(node: TestGame): Promise<void> {
  const startedAt = performance.now()
  await node.close()
  expect(performance.now() - startedAt).toBeLessThan(SOON_MS)
}

function until(condition: () => Promise<boolean>): Promise<boolean> {
  return vi.waitUntil(condition, { timeout: 60_000 })
}

/** A connection to a node. */
async function open(node: TestGame) {
  const { hostname, port } = new URL(node.url)
  const socket = connect({ host: hostname, port: Number(port) })
  onTestFinished(() => {
    socket.destroy()
  })
  await once(socket, 'connect')
  await until(() => new Promise(resolve => node.app.server.getConnections((_, n) => resolve(n > 0))))
  return socket
}

test('a connection that a browser opened in advance does not hold the server', async () => {
  const node = await world.addNode()
  const socket = await open(node)
  const closed = once(socket, 'close')
  socket.resume()
  await closeSoon(node)
  await closed
})

test('a connection that is kept for later does not hold the server', async () => {
  const node = await world.addNode()
  const socket = await open(node)
  socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n')
  await once(socket, 'data')
  socket.resume()
  await closeSoon(node)
})

test('what is in flight is answered, and its connection does not hold the server either', async () => {
  const node = await world.addNode()
  const lock = await world.pool.connect()
  await lock.query('begin; lock table prize_pool')
  const answer = fetch(`${node.url}/api/prize-pool`)
  const waiting =
    "select from pg_stat_activity where wait_event_type = 'Lock' and query like '%get_unclaimed_taps%'"
  await until(async () => (await world.sql(waiting)).length > 0)
  const closed = node.close()
  await lock.query('rollback')
  lock.release()
  const startedAt = performance.now()
  expect((await answer).status).toBe(200)
  await closed
  expect(performance.now() - startedAt).toBeLessThan(SOON_MS)
})

test('who comes to watch while it closes is sent away, and does not hold it', async () => {
  const node = await world.addNode()
  const viewer = new Client(node.url)
  await viewer.createAccount('Late Viewer', 'correct horse battery')
  const lock = await world.pool.connect()
  await lock.query('begin; lock table sessions')
  const answer = viewer.get('/api/live')
  const waiting = "select from pg_stat_activity where wait_event_type = 'Lock' and query like '%sessions%'"
  await until(async () => (await world.sql(waiting)).length > 0)
  const closed = closeSoon(node)
  await lock.query('rollback')
  lock.release()
  expect((await answer).status).toBe(503)
  await closed
})

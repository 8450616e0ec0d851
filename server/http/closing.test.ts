import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test, vi } from 'vitest'
import { Client } from '../../tests/support/client.ts'
import { openWorld } from '../../tests/support/world.ts'

const world = openWorld()

function until(condition: () => Promise<boolean>): Promise<boolean> {
  return vi.waitUntil(condition, { timeout: 60_000 })
}

/** Locks a table, and tells when a statement that contains these words waits for it. */
async function lock(table: string, words: string) {
  const client = await world.pool.connect()
  await client.query(`begin; lock table ${table}`)
  const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%${words}%'`
  return {
    holds: () => until(async () => (await world.sql(waiting)).length > 0),
    open: async () => {
      await client.query('rollback')
      client.release()
    },
  }
}

test('a connection that a browser opened in advance ends at once, without a word', async () => {
  const node = await world.addNode()
  const { hostname, port } = new URL(node.url)
  const socket = connect({ host: hostname, port: Number(port) })
  await once(socket, 'connect')
  await until(() => new Promise(resolve => node.app.server.getConnections((_, n) => resolve(n > 0))))
  // Left alone it would be told after fifteen seconds that it is too slow, and the close would wait for that.
  const said = text(socket)
  await node.close()
  expect(await said).toBe('')
})

test('what is in flight is answered, and is the last that its connection is kept for', async () => {
  const node = await world.addNode()
  const pool = await lock('prize_pool', 'get_unclaimed_taps')
  const answer = fetch(`${node.url}/api/prize-pool`)
  await pool.holds()
  const closed = node.close()
  await pool.open()
  const { status, headers } = await answer
  expect(status).toBe(200)
  expect(headers.get('connection')).toBe('close')
  await closed
})

test('who comes to watch while it closes is sent away, and does not hold it', async () => {
  const node = await world.addNode()
  const viewer = new Client(node.url)
  await viewer.createAccount('Late Viewer', 'correct horse battery')
  const sessions = await lock('sessions', 'sessions')
  const answer = viewer.get('/api/live')
  await sessions.holds()
  const closed = node.close()
  await sessions.open()
  expect((await answer).status).toBe(503)
  await closed
})

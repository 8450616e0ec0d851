import { describe, expect, test, vi } from 'vitest'
import { exhaust } from '../../tests/support/exhaust.ts'
import type { TestGame } from '../../tests/support/game.ts'
import { openWorld } from '../../tests/support/world.ts'
import { Problem } from '../problem.ts'
import { PUBLIC_HEADERS } from './cross-site.ts'

const world = openWorld({ rateLimits: true })
const READS = ['/api/prize-pool', '/api/leaderboard', '/api/attempts', '/api/today', '/api/live']

/** Sends a request as a page of another site does. Returns without waiting for the body of a stream. */
async function read({ url }: TestGame, path: string, method = 'GET') {
  const headers = {
    origin: 'https://blog.example',
    'sec-fetch-site': 'cross-site',
    cookie: 'taps-player=forged; taps-session=forged',
  }
  const stop = new AbortController()
  const answer = await fetch(url + path, { method, headers, signal: stop.signal })
  stop.abort()
  return answer
}

describe.each(READS)('%s', path => {
  test('answers a page of another site without a cookie', async () => {
    const answer = await read(world.game, path)
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject(PUBLIC_HEADERS)
    expect(answer.headers.getSetCookie()).toEqual([])
  })

  test('has a limit of its own, and lets another site read why it is refused', async () => {
    const node = await world.addNode()
    exhaust(node, '127.0.0.1', 'reads')
    const refused = await read(node, path)
    expect(refused.status).toBe(429)
    expect(Object.fromEntries(refused.headers)).toMatchObject(PUBLIC_HEADERS)
    expect(refused.headers.has('retry-after')).toBe(true)
    expect((await world.newcomer(node).get('/api/session')).status, 'a call of the game').toBe(200)
  })

  test('lets another site read that the database is unavailable', async () => {
    const node = await world.addNode()
    vi.spyOn(node.app.readiness, 'assertReady').mockImplementation(() => {
      throw new Problem('unavailable', { retryAfter: 1 })
    })
    const refused = await read(node, path)
    expect(refused.status).toBe(503)
    expect(Object.fromEntries(refused.headers)).toMatchObject(PUBLIC_HEADERS)
  })
})

test.each([
  ['GET', '/api/session', 403],
  ['GET', '/api/attempts/mine', 403],
  ['GET', '/', 200],
  ['GET', '/healthz', 200],
  ['POST', '/api/attempts', 403],
])('keeps %s %s closed to other sites, with status %i', async (method, path, status) => {
  const answer = await read(world.game, path, method)
  expect(answer.status).toBe(status)
  expect(answer.headers.getSetCookie()).toEqual([])
  expect([...answer.headers.keys()].filter(name => name.startsWith('access-control'))).toEqual([])
  expect(answer.headers.get('cross-origin-resource-policy')).toBe('same-origin')
})

import { describe, expect, test, vi } from 'vitest'
import { STREAMS_OF_ADDRESS } from '../../contract/limits.ts'
import { exhaust } from '../../tests/support/exhaust.ts'
import type { TestGame } from '../../tests/support/game.ts'
import { openWorld } from '../../tests/support/world.ts'
import { Problem } from '../problem.ts'
import { PUBLIC_HEADERS } from './cross-site.ts'

const world = openWorld({ rateLimits: true })
const READS = ['/api/prize-pool', '/api/leaderboard', '/api/attempts', '/api/live']

const BLOG = { origin: 'https://blog.example', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }
const FOREIGN = [
  BLOG,
  { origin: 'https://blog.example' },
  { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
]

/** Reads the status and headers, without waiting for the body of a stream. */
async function read({ url }: TestGame, path: string, headers: Record<string, string>, method = 'GET') {
  const stop = new AbortController()
  const answer = await fetch(url + path, { method, headers, signal: stop.signal })
  stop.abort()
  return answer
}

describe.each(READS)('%s', path => {
  test.each(FOREIGN)('answers any origin without a cookie: %j', async headers => {
    for (const more of [{}, { cookie: 'taps-player=forged; taps-session=forged' }]) {
      const answer = await read(world.game, path, { ...headers, ...more })
      expect(answer.status).toBe(200)
      expect(Object.fromEntries(answer.headers)).toMatchObject(PUBLIC_HEADERS)
      expect(answer.headers.getSetCookie()).toEqual([])
    }
  })

  test('lets another site read why it is refused', async () => {
    const node = await world.addNode()
    exhaust(node, '127.0.0.1', 'reads')
    const refused = await read(node, path, BLOG)
    expect(refused.status).toBe(429)
    expect(Object.fromEntries(refused.headers)).toMatchObject(PUBLIC_HEADERS)
    expect(refused.headers.has('retry-after')).toBe(true)
    expect((await read(node, path, {})).status, 'for the game itself').toBe(200)
  })

  test('lets another site read that the database is unavailable', async () => {
    const node = await world.addNode()
    vi.spyOn(node.app.readiness, 'assertReady').mockImplementation(() => {
      throw new Problem('unavailable', { retryAfter: 1 })
    })
    const refused = await read(node, path, BLOG)
    expect(refused.status).toBe(503)
    expect(Object.fromEntries(refused.headers)).toMatchObject(PUBLIC_HEADERS)
  })
})

test('streams to other sites have a limit of their own', async () => {
  const node = await world.addNode()
  for (let n = 0; n < STREAMS_OF_ADDRESS; n += 1) node.app.streamLimit.acquire('foreign 127.0.0.1')
  expect((await read(node, '/api/live', BLOG)).status).toBe(429)
  expect((await read(node, '/api/live', {})).status).toBe(200)
})

test.each([
  ['/api/session', 403],
  ['/api/attempts/mine', 403],
  ['/', 200],
  ['/healthz', 200],
])('keeps %s closed to other sites, with status %i', async (path, status) => {
  const answer = await read(world.game, path, BLOG)
  expect(answer.status).toBe(status)
  expect(answer.headers.getSetCookie()).toEqual([])
  expect([...answer.headers.keys()].filter(name => name.startsWith('access-control'))).toEqual([])
  expect(answer.headers.get('cross-origin-resource-policy')).toBe('same-origin')
})

test('keeps POST /api/attempts closed, although a GET of this path is public', async () => {
  const answer = await read(world.game, '/api/attempts', BLOG, 'POST')
  expect(answer.status).toBe(403)
  expect(answer.headers.has('access-control-allow-origin')).toBe(false)
})

import { once } from 'node:events'
import type { Socket } from 'node:net'
import { beforeAll, expect, test, vi } from 'vitest'
import { CONCURRENCY } from '../../contract/limits.ts'
import { PROBLEMS } from '../../contract/problems.ts'
import { exhaust, NAMED_WAIT_S } from '../../tests/support/exhaust.ts'
import type { TestGame } from '../../tests/support/game.ts'
import { openSocket } from '../../tests/support/wire.ts'
import { openWorld } from '../../tests/support/world.ts'

const world = openWorld({ rateLimits: true })
const VISITOR = '192.0.2.7'
const FROM_VISITOR = { headers: { 'x-forwarded-for': VISITOR } }

let proxied: TestGame
beforeAll(async () => {
  proxied = await world.addNode({ trustProxy: ['loopback'] })
})

/** A guest who plays a round through a proxy, at an address that has then used up what it may ask for. */
async function playing() {
  const guest = world.newcomer(proxied)
  const start = async (round: string) =>
    (await guest.send('/api/rounds', { method: 'POST', json: { round }, ...FROM_VISITOR })).status
  const { token } = (await guest.session()).round
  expect(await start(token)).toBe(201)
  exhaust(proxied, VISITOR, 'requests')
  return { guest, play: () => start(token), fail: () => start('none') }
}

test('an address beyond its allowance is answered one refusal, and gets no further connection', async () => {
  const client = world.newcomer()
  exhaust(world.game, '127.0.0.1', 'requests')
  const { status, body, headers } = await client.get('/healthz')
  expect(status).toBe(429)
  expect(body).toEqual({ ...PROBLEMS.too_many_requests, code: 'too_many_requests' })
  expect(headers.get('connection')).toBe('close')
  expect(headers.get('retry-after')).toBe(`${NAMED_WAIT_S}`)
  await expect(client.get('/healthz')).rejects.toThrow()
})

test('whoever was just served a Start plays on at an address beyond its allowance, and nobody else is served', async () => {
  const { guest, play } = await playing()
  expect(await play()).toBe(201)
  expect((await guest.send('/api/session', FROM_VISITOR)).status).toBe(200)
  // Another page than the game's calls counts for players as well.
  expect((await guest.send('/healthz', FROM_VISITOR)).status).toBe(429)
  expect((await world.newcomer(proxied).send('/api/session', FROM_VISITOR)).status).toBe(429)
})

test('whose call was refused counts like everybody until served again', async () => {
  const { play, fail } = await playing()
  const take = vi.spyOn(proxied.services.limits, 'take')
  expect(await Promise.all([fail(), fail(), fail()])).toContain(422)
  expect(take.mock.calls.filter(([limit]) => limit === 'requests')).toHaveLength(3)
  expect(await fail()).toBe(429)
  expect(await play()).toBe(429)
})

test("a refusal through a proxy does not end the connection, which is not the visitor's", async () => {
  // A node of its own: a connection on which somebody has played stays in any case.
  const node = await world.addNode({ trustProxy: ['loopback'] })
  const client = world.newcomer(node)
  exhaust(node, VISITOR, 'requests')
  const { status, headers } = await client.send('/', FROM_VISITOR)
  expect(status).toBe(429)
  expect(headers.get('connection')).toBe('keep-alive')
  expect((await client.send('/healthz', { headers: { 'x-forwarded-for': '192.0.2.8' } })).status).toBe(200)
})

test('what a proxy keeps open counts for the visitor who used it last', async () => {
  const { url } = await world.addNode({ trustProxy: ['loopback'] })
  const ask = async (from: string, socket: Socket) => {
    socket.write(`GET /healthz HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${from}\r\n\r\n`)
    return String(await once(socket, 'data'))
  }
  const first = await openSocket(url)
  expect(await ask(VISITOR, first)).toMatch(/^HTTP\/1.1 200/)
  const { ofOne } = CONCURRENCY.connections
  for (let n = 1; n < ofOne; n += 1) await ask(VISITOR, await openSocket(url))
  expect(await ask(VISITOR, await openSocket(url))).toMatch(/^HTTP\/1.1 429 .*connection: close/is)
  expect(await ask('192.0.2.8', first)).toMatch(/^HTTP\/1.1 200/)
  expect(await ask(VISITOR, await openSocket(url))).toMatch(/^HTTP\/1.1 200/)
})

test('what has an address that cannot be read counts', async () => {
  exhaust(proxied, VISITOR, 'requests')
  expect((await world.newcomer(proxied).send('/%zz', FROM_VISITOR)).status).toBe(429)
})

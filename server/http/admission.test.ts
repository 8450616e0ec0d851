import { expect, onTestFinished, test, vi } from 'vitest'
import type { CheckedClient } from '../../tests/support/checked-client.ts'
import type { TestGame } from '../../tests/support/game.ts'
import { openWorld } from '../../tests/support/world.ts'

const world = openWorld({ rateLimits: true })
const VISITOR = '192.0.2.7'
const round = { round: 'none' }

/** Time stands still, in which an address has used up what it may ask for. */
function useUp(node: TestGame, address: string): void {
  vi.spyOn(performance, 'now').mockReturnValue(performance.now())
  onTestFinished(() => void vi.mocked(performance.now).mockRestore())
  useUpAgain(node, address)
}

/** Uses up what is left, or has been refilled. */
function useUpAgain({ services }: TestGame, address: string): void {
  expect(() => {
    for (;;) services.limits.take('requests', address)
  }).toThrow()
}

/** A guest who plays a round through a proxy. */
async function playing(node: TestGame) {
  const guest = world.newcomer(node)
  const from = { headers: { 'x-forwarded-for': VISITOR } }
  const start = async (json: object) =>
    (await guest.send('/api/rounds', { method: 'POST', json, ...from })).status
  const { token } = (await guest.session()).round
  expect(await start({ round: token })).toBe(201)
  return { guest, from, play: () => start({ round: token }), fail: () => start(round) }
}

const behindProxy = () => world.addNode({ trustProxy: ['loopback'] })

test('an address beyond its allowance is answered one refusal, and gets no connection for two seconds', async () => {
  const node = await world.addNode()
  const client = world.newcomer(node)
  useUp(node, '127.0.0.1')
  const { status, body, headers } = await client.get('/healthz')
  expect(status).toBe(429)
  expect(body).toEqual({ status, code: 'too_many_requests', title: expect.any(String) })
  expect(headers.get('connection')).toBe('close')
  expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  await expect(client.get('/healthz')).rejects.toThrow()
  const refusedAt = performance.now()
  // Nothing makes it longer, and the allowance has grown meanwhile.
  vi.mocked(performance.now).mockReturnValue(refusedAt + 1_990)
  await expect(client.get('/healthz')).rejects.toThrow()
  vi.mocked(performance.now).mockReturnValue(refusedAt + 2_010)
  expect((await client.get('/healthz')).status).toBe(200)
})

test('whoever played within the last minute plays on at an address beyond its allowance, and nobody else is served', async () => {
  const node = await behindProxy()
  const { guest, from, play } = await playing(node)
  // Time leaps here from one beat of the database to the next.
  vi.spyOn(node.services.heartbeat.outage, 'isInDoubt').mockReturnValue(false)
  useUp(node, VISITOR)
  const now = performance.now()
  expect(await play()).toBe(201)
  expect((await guest.send('/api/session', from)).status).toBe(200)
  // Another page than the game's calls counts for players as well.
  expect((await guest.send('/healthz', from)).status).toBe(429)
  expect((await world.newcomer(node).send('/api/session', from)).status).toBe(429)
  vi.mocked(performance.now).mockReturnValue(now + 59_000)
  useUpAgain(node, VISITOR)
  expect(await play()).toBe(201)
  vi.mocked(performance.now).mockReturnValue(now + 59_000 + 61_000)
  useUpAgain(node, VISITOR)
  expect(await play()).toBe(429)
})

test('whose call was refused counts like everybody until served again', async () => {
  const node = await behindProxy()
  const { play, fail } = await playing(node)
  useUp(node, VISITOR)
  expect(await fail()).toBe(422)
  expect(await fail()).toBe(429)
  expect(await play()).toBe(429)
})

test("a refusal through a proxy does not end the connection, which is not the visitor's", async () => {
  const node = await behindProxy()
  const client: CheckedClient = world.newcomer(node)
  useUp(node, VISITOR)
  const { status, headers } = await client.send('/', { headers: { 'x-forwarded-for': VISITOR } })
  expect(status).toBe(429)
  expect(headers.get('connection')).toBe('keep-alive')
  expect((await client.send('/healthz', { headers: { 'x-forwarded-for': '192.0.2.8' } })).status).toBe(200)
})

test('what has an address that cannot be read counts, and so does what is no request', async () => {
  const node = await behindProxy()
  useUp(node, VISITOR)
  const { status } = await world.newcomer(node).send('/%zz', { headers: { 'x-forwarded-for': VISITOR } })
  expect(status).toBe(429)
})

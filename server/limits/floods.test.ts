import { describe, expect, test, vi } from 'vitest'
import { CONCURRENCY, LIMITS, type LimitName } from '../../contract/limits.ts'
import type { Answer } from '../../tests/support/client.ts'
import { Viewer } from '../../tests/support/viewer.ts'
import { openWorld } from '../../tests/support/world.ts'

const world = openWorld({ rateLimits: true })
const PASSWORD = 'correct horse battery'

/**
 * Asks until it is told to wait, which has to be after the burst and what the time has refilled.
 *
 * @param taken how much of the share is used already
 * @returns the statuses before that, and the answer that said so
 */
async function flood(name: LimitName, ask: () => Promise<Answer<unknown>>, taken = 0) {
  const { burst, perMinute } = LIMITS[name]
  const startedAt = performance.now()
  const statuses = new Set<number>()
  for (let n = taken; ; n += 1) {
    const answer = await ask()
    if (answer.status === 429) {
      const refilled = ((performance.now() - startedAt) / 60_000) * perMinute
      expect(n).toBeGreaterThanOrEqual(burst)
      expect(n).toBeLessThanOrEqual(burst + refilled + 1)
      return { statuses: [...statuses], refusal: answer }
    }
    expect(n).toBeLessThan(burst * 10)
    statuses.add(answer.status)
  }
}

test('wrong passwords for one name slow their sender down for that name, and no other player', async () => {
  const owner = world.newcomer()
  await owner.createAccount('Attacked', PASSWORD)
  await world.newcomer().createAccount('Neighbour', PASSWORD)
  const attacker = world.newcomer()
  const { statuses, refusal } = await flood('wrongPasswords', () =>
    attacker.login(' ATTACKED', 'a wrong password'),
  )
  expect(statuses).toEqual([401])
  expect(refusal.body).toMatchObject({ code: 'too_many_requests' })
  expect(Number(refusal.headers.get('retry-after'))).toBeLessThanOrEqual(10)
  expect((await attacker.createAccount('attacked', 'a wrong password')).status).toBe(429)
  expect((await attacker.login('Neighbour', PASSWORD)).status).toBe(200)
  expect((await owner.session()).user?.username).toBe('Attacked')

  const elsewhere = await world.addNode({ trustProxy: ['loopback'] })
  const { status } = await world.newcomer(elsewhere).send('/api/login', {
    method: 'POST',
    json: { username: 'Attacked', password: PASSWORD },
    headers: { 'x-forwarded-for': '192.0.2.7' },
  })
  expect(status).toBe(200)
  // Some fifteen hashes: two seconds, and more than twenty on a machine busy with other things.
}, 60_000)

test('behind a trusted proxy every address has its own share; without one the header means nothing', async () => {
  const trusting = await world.addNode({ trustProxy: ['loopback'] })
  const from = (url: string, address: string) =>
    world
      .newcomer()
      .copy(url)
      .send('/nowhere', { headers: { 'x-forwarded-for': address } })
  await flood('misses', () => from(trusting.url, '192.0.2.7'))
  expect((await from(trusting.url, '192.0.2.8')).status).toBe(404)

  const wary = await world.addNode()
  let n = 0
  await flood('misses', () => from(wary.url, `192.0.2.${n++}`))
})

describe('a player', () => {
  test('who starts and stops faster than anybody can is told to wait, and others play on', async () => {
    const guest = world.newcomer()
    const { round } = await guest.session()
    const start = await guest.start(round)
    // Starts and stops share one limit.
    let turn = 1
    const ask = () => {
      turn += 1
      if (turn % 2) return guest.post('/api/rounds', { round: round.token })
      return guest.post('/api/attempts', { start, username: ' ', actual_time: 1 })
    }
    const { statuses } = await flood('rounds', ask, 1)
    expect(statuses).toEqual([400, 201])
    const other = world.newcomer()
    expect((await other.play((await other.session()).round, 500)).status).toBe(201)
  })

  test('who reads like a machine is told to wait', async () => {
    const guest = world.newcomer()
    await guest.session()
    const { statuses } = await flood('reads', () => guest.get('/api/prize-pool'))
    expect(statuses).toEqual([200])
  })

  test('who claims like a machine is told to wait', async () => {
    const player = world.newcomer()
    await player.createAccount('Grabber', PASSWORD)
    const { statuses } = await flood('claims', () => player.post('/api/claim'))
    expect(statuses).toEqual([200])
  })
})

test('an address that collects players is told to wait, and a known player plays on', async () => {
  const node = await world.addNode()
  const known = world.newcomer(node)
  // The first of the flood is the one who stays.
  let identities = 0
  await flood('identities', () => {
    identities += 1
    return (identities === 1 ? known : world.newcomer(node)).get('/api/session')
  })
  expect((await known.get('/api/session')).status).toBe(200)
})

test('an address with too many live streams gets no more until one ends, and others get theirs', async () => {
  const node = await world.addNode()
  const releases = Array.from({ length: CONCURRENCY.streams.ofAddress - 1 }, () =>
    node.services.streams.acquire('127.0.0.1'),
  )
  const last = await Viewer.open(node.url)
  const refused = await world.newcomer(node).get('/api/live')
  expect(refused.body).toMatchObject({ status: 429, code: 'too_many_requests' })
  expect(refused.headers.get('retry-after')).toBe('10')
  expect(node.services.streams.acquire('192.0.2.1')).not.toBeNull()
  await last.close()
  await vi.waitFor(
    async () => {
      const next = await Viewer.open(node.url)
      await next.close()
      expect(next.response.status).toBe(200)
    },
    { timeout: 60_000 },
  )
  for (const release of releases) release?.()
})

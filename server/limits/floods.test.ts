import { beforeAll, describe, expect, test, vi } from 'vitest'
import { CONCURRENCY, LIMITS, type LimitName } from '../../contract/limits.ts'
import type { CheckedClient } from '../../tests/support/checked-client.ts'
import type { Answer, ClientRequest } from '../../tests/support/client.ts'
import type { TestGame } from '../../tests/support/game.ts'
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

describe('told to wait', () => {
  const ADDRESS = '192.0.2.9'
  const post = (json: unknown): ClientRequest => ({ method: 'POST', json })

  const guess = post({ username: 'Someone', password: 'a wrong password' })
  const unknown = post({ username: 'Nobody', password: PASSWORD })
  const change = post({ password: PASSWORD, new_password: 'correct horse stable' })

  interface Flooded {
    readonly limit: LimitName
    readonly path: string
    readonly request?: ClientRequest
    /** A stranger where none is named. */
    readonly by?: 'guest' | 'owner'
  }

  /** What counts for each limit of an address. */
  const FLOODED: readonly Flooded[] = [
    { limit: 'requests', path: '/healthz' },
    { limit: 'requests', path: '/' },
    { limit: 'identities', path: '/api/session' },
    { limit: 'strangers', path: '/api/attempts' },
    { limit: 'strangers', path: '/api/attempts/mine' },
    { limit: 'strangers', path: '/api/leaderboard' },
    { limit: 'strangers', path: '/api/prize-pool' },
    { limit: 'strangers', path: '/api/logout', request: post(undefined) },
    { limit: 'strangers', path: '/api/claim', request: post(undefined) },
    { limit: 'strangers', path: '/api/live' },
    { limit: 'strangers', path: '/api/password', request: change },
    { limit: 'strangers', path: '/api/users/delete', request: post({ password: PASSWORD }) },
    { limit: 'strangers', path: '/api/rounds', request: post({ round: 'none' }), by: 'guest' },
    {
      limit: 'strangers',
      path: '/api/attempts',
      request: post({ start: 'none', username: 'Hasty', actual_time: 1 }),
      by: 'guest',
    },
    { limit: 'readsOfAddress', path: '/api/session', by: 'guest' },
    { limit: 'readsOfAddress', path: '/api/attempts', by: 'guest' },
    { limit: 'readsOfAddress', path: '/api/attempts/mine', by: 'owner' },
    { limit: 'readsOfAddress', path: '/api/leaderboard', by: 'owner' },
    { limit: 'readsOfAddress', path: '/api/prize-pool', by: 'guest' },
    { limit: 'readsOfAddress', path: '/api/live', by: 'owner' },
    { limit: 'readsOfAddress', path: '/api/logout', request: post(undefined), by: 'guest' },
    { limit: 'claimsOfAddress', path: '/api/claim', request: post(undefined), by: 'owner' },
    { limit: 'accountCalls', path: '/api/login', request: unknown },
    { limit: 'accountCalls', path: '/api/users', request: unknown },
    { limit: 'accountCalls', path: '/api/password', request: change, by: 'owner' },
    { limit: 'accountCalls', path: '/api/users/delete', request: post({ password: PASSWORD }), by: 'owner' },
    { limit: 'unknownNames', path: '/api/login', request: unknown },
    { limit: 'hashes', path: '/api/login', request: guess },
    { limit: 'hashes', path: '/api/users', request: guess },
    { limit: 'hashes', path: '/api/users', request: unknown },
    { limit: 'hashes', path: '/api/password', request: change, by: 'owner' },
    { limit: 'hashes', path: '/api/users/delete', request: post({ password: PASSWORD }), by: 'owner' },
    { limit: 'signUps', path: '/api/users', request: unknown },
    { limit: 'misses', path: '/nowhere' },
    { limit: 'misses', path: '/metrics' },
    { limit: 'documents', path: '/api/docs' },
    { limit: 'documents', path: '/api/openapi.json' },
  ]

  let node: TestGame
  let guest: CheckedClient
  let owner: CheckedClient
  let round: string
  beforeAll(async () => {
    node = await world.addNode({ trustProxy: ['loopback'] })
    guest = world.newcomer(node)
    round = (await guest.session()).round.token
    owner = world.newcomer(node)
    await owner.createAccount('Someone', PASSWORD)
  })

  /** Asks from the address while the share of these keys is used up. */
  async function askWithout({ limit, path, request = {}, by }: Flooded) {
    const client = by === 'guest' ? guest : by === 'owner' ? owner : world.newcomer(node)
    const undo: (() => void)[] = []
    // The share refills within the time that a call takes.
    vi.spyOn(performance, 'now').mockReturnValue(performance.now())
    try {
      for (;;) undo.push(node.services.limits.take(limit, ADDRESS))
    } catch {
      return await client.send(path, { ...request, headers: { 'x-forwarded-for': ADDRESS } })
    } finally {
      vi.mocked(performance.now).mockRestore()
      for (const giveBack of undo) giveBack()
    }
  }

  test.each(FLOODED)('for the share of $limit of one address: $path', async flooded => {
    const { status, body, headers } = await askWithout(flooded)
    expect(status).toBe(429)
    expect(body).toMatchObject({ code: 'too_many_requests' })
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  })

  test('for the share of Starts and Stops of one address', async () => {
    const start = await guest.start({ token: round, target_time: 0 })
    const limit = 'roundsOfAddress'
    const bodies = { '/api/rounds': { round }, '/api/attempts': { start, username: 'Hasty', actual_time: 1 } }
    for (const [path, json] of Object.entries(bodies)) {
      const { status } = await askWithout({ limit, path, request: post(json), by: 'guest' })
      expect(status, path).toBe(429)
    }
  })

  test('nobody who may read the figures is, whatever others read', async () => {
    const address = '127.0.0.1'
    for (const limit of ['documents', 'misses', 'strangers'] as const) {
      expect(() => {
        for (;;) node.services.limits.take(limit, address)
      }).toThrow()
    }
    expect((await fetch(`${node.url}/metrics`)).status).toBe(200)
    for (let n = 1; n < LIMITS.metrics.burst; n += 1) node.services.limits.take('metrics', address)
    const { status, headers } = await fetch(`${node.url}/metrics`)
    expect(status).toBe(429)
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  })

  test('none of them is left without a call that counts', () => {
    const elsewhere: LimitName[] = [
      ...(['rounds', 'roundsOfAddress', 'reads', 'claims', 'metrics'] as const),
      ...(['wrongPasswords', 'wrongPasswordsOfName', 'lastTries'] as const),
    ]
    const counted = new Set([...FLOODED.map(({ limit }) => limit), ...elsewhere])
    expect(Object.keys(LIMITS).filter(name => !counted.has(name as LimitName))).toEqual([])
  })
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

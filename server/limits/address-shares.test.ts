import { beforeAll, describe, expect, test, vi } from 'vitest'
import { LIMITS, type LimitName } from '../../contract/limits.ts'
import type { CheckedClient } from '../../tests/support/checked-client.ts'
import type { ClientRequest } from '../../tests/support/client.ts'
import type { TestGame } from '../../tests/support/game.ts'
import { openWorld } from '../../tests/support/world.ts'

const world = openWorld({ rateLimits: true })
const PASSWORD = 'correct horse battery'

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

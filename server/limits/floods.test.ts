import { once } from 'node:events'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { CONCURRENCY, LIMITS, type LimitName } from '../../contract/limits.ts'
import type { CheckedClient } from '../../tests/support/checked-client.ts'
import { exhaust, NAMED_WAIT_S } from '../../tests/support/exhaust.ts'
import { rounds } from '../../tests/support/forgery.ts'
import type { TestGame } from '../../tests/support/game.ts'
import { Viewer } from '../../tests/support/viewer.ts'
import { openWorld } from '../../tests/support/world.ts'

const world = openWorld({ rateLimits: true, trustProxy: ['loopback'] })
const PASSWORD = 'correct horse battery'
const ADDRESS = '192.0.2.9'

type Who = 'a stranger' | 'a guest' | 'an account'
let guest: CheckedClient
let owner: CheckedClient
let round = ''
let start = ''
const players: Record<Who, string> = { 'a stranger': '', 'a guest': '', 'an account': '' }

beforeAll(async () => {
  guest = world.newcomer()
  const session = await guest.session()
  round = session.round.token
  start = await guest.start(session.round)
  owner = world.newcomer()
  const { body } = await owner.createAccount('Someone', PASSWORD)
  players['a guest'] = rounds.readRound(round).player
  players['an account'] = rounds.readRound(body.round.token).player
})

function browserOf(who: Who, node: TestGame = world.game): CheckedClient {
  if (who === 'a stranger') return world.newcomer(node)
  return (who === 'a guest' ? guest : owner).copy(node.url)
}

const nothing = () => undefined
const guess = () => ({ username: 'Someone', password: 'a wrong password' })
const unknown = () => ({ username: 'Nobody', password: PASSWORD })
const change = () => ({ password: PASSWORD, new_password: 'correct horse stable' })
const deletion = () => ({ password: PASSWORD })

/** A share, and a call that is taken of it: a body makes it a POST. */
type Row = [limit: LimitName, path: string, by?: Who, body?: () => unknown, about?: string]

const ROWS: Row[] = [
  ['requests', '/healthz'],
  ['requests', '/'],
  ['identities', '/api/session'],
  ['strangers', '/api/attempts'],
  ['strangers', '/api/attempts/mine'],
  ['strangers', '/api/leaderboard'],
  ['strangers', '/api/prize-pool'],
  ['strangers', '/api/live'],
  ['strangers', '/api/logout', 'a stranger', nothing],
  ['strangers', '/api/claim', 'a stranger', nothing],
  ['rounds', '/api/rounds', 'a guest', () => ({ round })],
  ['rounds', '/api/attempts', 'a guest', () => ({ start, username: 'Hasty', actual_time: 1 })],
  ['roundsOfAddress', '/api/rounds', 'a guest', () => ({ round })],
  ['roundsOfAddress', '/api/attempts', 'a guest', () => ({ start, username: 'Hasty', actual_time: 1 })],
  ['reads', '/api/prize-pool', 'a guest'],
  ['reads', '/api/session', 'an account'],
  ['readsOfAddress', '/api/session', 'a guest'],
  ['readsOfAddress', '/api/attempts', 'a guest'],
  ['readsOfAddress', '/api/attempts/mine', 'an account'],
  ['readsOfAddress', '/api/leaderboard', 'an account'],
  ['readsOfAddress', '/api/prize-pool', 'a guest'],
  ['readsOfAddress', '/api/live', 'an account'],
  ['readsOfAddress', '/api/logout', 'a guest', nothing],
  ['claims', '/api/claim', 'an account', nothing],
  ['claimsOfAddress', '/api/claim', 'an account', nothing],
  ['logins', '/api/login', 'a stranger', unknown],
  ['signUpCalls', '/api/users', 'a stranger', unknown],
  ['logins', '/api/password', 'an account', change],
  ['logins', '/api/users/delete', 'an account', deletion],
  ['unknownNames', '/api/login', 'a stranger', unknown],
  ['hashes', '/api/login', 'a stranger', guess],
  ['hashes', '/api/users', 'a stranger', guess],
  ['hashes', '/api/users', 'a stranger', unknown],
  ['hashes', '/api/password', 'an account', change],
  ['hashes', '/api/users/delete', 'an account', deletion],
  ['signUps', '/api/users', 'a stranger', unknown],
  ['wrongPasswords', '/api/login', 'a stranger', guess, `${ADDRESS} someone`],
  ['wrongPasswords', '/api/users', 'a stranger', guess, `${ADDRESS} someone`],
  ['wrongPasswords', '/api/password', 'an account', change, `${ADDRESS} someone`],
  ['wrongPasswords', '/api/users/delete', 'an account', deletion, `${ADDRESS} someone`],
  ['misses', '/nowhere'],
  ['misses', '/metrics'],
  ['documents', '/api/docs'],
  ['documents', '/api/openapi.json'],
]

const OF_PLAYERS: readonly LimitName[] = ['rounds', 'reads', 'claims']

describe('who has used up a share is told to wait, and how long', () => {
  test.each(ROWS)('of %s: %s by %s', async (limit, path, by = 'a stranger', body, about = ADDRESS) => {
    exhaust(world.game, OF_PLAYERS.includes(limit) ? players[by] : about, limit)
    const headers = { 'x-forwarded-for': ADDRESS }
    const request = body ? { method: 'POST', json: body(), headers } : { headers }
    const answer = await browserOf(by).send(path, request)
    expect(answer.body).toMatchObject({ status: 429, code: 'too_many_requests' })
    expect(answer.headers.get('retry-after')).toBe(`${NAMED_WAIT_S}`)
  })

  test('of the figures: nobody who may read them, whatever others read', async () => {
    const address = '127.0.0.1'
    exhaust(world.game, address, 'documents', 'misses', 'strangers')
    expect((await fetch(`${world.game.url}/metrics`)).status).toBe(200)
    exhaust(world.game, address, 'metrics')
    expect((await fetch(`${world.game.url}/metrics`)).status).toBe(429)
  })

  test('of every share there is, those of a name apart (login-throttle.test.ts)', () => {
    const shown = new Set<string>([...ROWS.map(([limit]) => limit), 'metrics'])
    const left = Object.keys(LIMITS).filter(name => !shown.has(name))
    expect(left).toEqual(['wrongPasswordsOfName', 'lastTries'])
  })
})

test('a player who is known plays on at an address that may collect no more of them', async () => {
  exhaust(world.game, ADDRESS, 'identities')
  const { status } = await guest.send('/api/session', { headers: { 'x-forwarded-for': ADDRESS } })
  expect(status).toBe(200)
})

describe('of live streams get no more', () => {
  test.each<[what: string, by: Who, limit: 'streamsOfPlayer' | 'streamsOfStrangers', key: () => string]>([
    ['a player with many windows', 'a guest', 'streamsOfPlayer', () => players['a guest']],
    ['strangers at one address', 'a stranger', 'streamsOfStrangers', () => '127.0.0.1'],
  ])('%s, and their neighbours get theirs', async (_, by, limit, key) => {
    const node = await world.addNode()
    const { ofOne } = CONCURRENCY[limit]
    for (let n = 0; n < ofOne; n += 1) expect(node.services[limit].acquire(key())).not.toBeNull()
    const refused = await browserOf(by, node).get('/api/live')
    expect(refused.body).toMatchObject({ status: 429, code: 'too_many_requests' })
    const cookie = `taps-session=${owner.cookies.get('taps-session')}`
    const neighbour = await Viewer.open(node.url, { cookie })
    expect(neighbour.response.status).toBe(200)
    await neighbour.close()
  })

  test('an address with too many, until one of them ends', async () => {
    const node = await world.addNode()
    const { streams } = node.services
    for (let n = 1; n < CONCURRENCY.streams.ofOne; n += 1) streams.acquire('127.0.0.1')
    const last = await Viewer.open(node.url)
    const refused = await world.newcomer(node).get('/api/live')
    expect(refused.body).toMatchObject({ status: 429, code: 'too_many_requests' })
    expect(refused.headers.get('retry-after')).toBe('10')
    expect(streams.acquire('192.0.2.1')).not.toBeNull()
    await last.close()
    await vi.waitFor(
      async () => {
        const next = await Viewer.open(node.url)
        await next.close()
        expect(next.response.status).toBe(200)
      },
      { timeout: 60_000 },
    )
  })
})

test('a viewer who leaves before the stream begins keeps no room for it', async () => {
  const { url, services } = await world.addNode()
  const { streams, visitors } = services
  for (let n = 1; n < CONCURRENCY.streams.ofOne; n += 1) streams.acquire('127.0.0.1')
  const find = vi.spyOn(visitors, 'find').mockImplementationOnce(async (_, { request }) => {
    await once(request.raw.socket.destroy(), 'close')
    return null
  })
  await expect(fetch(`${url}/api/live`)).rejects.toThrow()
  await find.mock.results[0]?.value
  expect(streams.acquire('127.0.0.1')).not.toBeNull()
})

import { setImmediate as turn } from 'node:timers/promises'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { HASH_QUEUE, LIMITS, type LimitName, STREAMS_OF_ADDRESS } from '../../contract/limits.ts'
import type { CheckedClient } from '../../tests/support/checked-client.ts'
import { exhaust, NAMED_WAIT_S } from '../../tests/support/exhaust.ts'
import { rounds } from '../../tests/support/forgery.ts'
import type { TestGame } from '../../tests/support/game.ts'
import { until } from '../../tests/support/until.ts'
import { Viewer } from '../../tests/support/viewer.ts'
import { openSocket } from '../../tests/support/wire.ts'
import { openWorld } from '../../tests/support/world.ts'

const world = openWorld({ rateLimits: true, trustProxy: ['loopback'] })
const PASSWORD = 'correct horse battery'
const ADDRESS = '192.0.2.9'

type Sender = 'a stranger' | 'a guest' | 'an account'
let guest: CheckedClient
let owner: CheckedClient
let start = ''
const players: Record<Sender, string> = { 'a stranger': '', 'a guest': '', 'an account': '' }

beforeAll(async () => {
  guest = world.newcomer()
  const session = await guest.session()
  start = (await guest.start(session.round)).start
  owner = world.newcomer()
  const { body } = await owner.createAccount('Someone', PASSWORD)
  players['a guest'] = rounds.readRound(session.round.token).playerId
  players['an account'] = rounds.readRound(body.round.token).playerId
})

function browserOf(sender: Sender, node: TestGame = world.game): CheckedClient {
  if (sender === 'a stranger') return world.newcomer(node)
  return (sender === 'a guest' ? guest : owner).copy(node.url)
}

const guess = () => ({ username: 'Someone', password: 'a wrong password' })
const unknown = () => ({ username: 'Nobody', password: PASSWORD })
const change = () => ({ password: PASSWORD, new_password: 'correct horse stable' })
const deletion = () => ({ password: PASSWORD })

/** A limit, and a request charged to the limit: a POST if there is a body. The default key is `ADDRESS`. */
type Row = [limit: LimitName, path: string, by: Sender, body?: () => unknown, key?: string]

const PER_PLAYER: readonly LimitName[] = ['calls', 'ownPasswords']

/** One row for each limit, and for each comparison of a password. */
const ROWS: Row[] = [
  ['calls', '/api/attempts', 'a guest', () => ({ start, username: 'Hasty', actual_time: 1 })],
  ['requests', '/', 'a stranger'],
  ['guests', '/api/session', 'a stranger'],
  ['logins', '/api/login', 'a stranger', unknown],
  ['logins', '/api/users', 'a stranger', guess],
  ['signUps', '/api/users', 'a stranger', unknown],
  ['wrongPasswords', '/api/login', 'a stranger', guess, `${ADDRESS} someone`],
  ['wrongPasswords', '/api/users', 'a stranger', guess, `${ADDRESS} someone`],
  ['ownPasswords', '/api/password', 'an account', change],
  ['ownPasswords', '/api/users/delete', 'an account', deletion],
  ['ownPasswordsOfAddress', '/api/password', 'an account', change],
  ['ownPasswordsOfAddress', '/api/users/delete', 'an account', deletion],
]

describe('a request beyond a limit', () => {
  test.each(ROWS)(
    'is answered 429 with Retry-After: limit %s, %s by %s',
    async (limit, path, by, body, key = ADDRESS) => {
      exhaust(world.game, PER_PLAYER.includes(limit) ? players[by] : key, limit)
      const headers = { 'x-forwarded-for': ADDRESS }
      const request = body ? { method: 'POST', json: body(), headers } : { headers }
      const answer = await browserOf(by).send(path, request)
      expect(answer.body).toMatchObject({ status: 429, code: 'too_many_requests' })
      expect(answer.headers.get('retry-after')).toBe(`${NAMED_WAIT_S}`)
    },
  )

  test('is tested above for every limit', () => {
    // limiter.test.ts and public-reads.test.ts have the others.
    const elsewhere = ['reads', 'wrongPasswordsOfName', 'lastTries']
    expect(new Set([...ROWS.map(([limit]) => limit), ...elsewhere])).toEqual(new Set(Object.keys(LIMITS)))
  })
})

test("changes a password and deletes an account while strangers at the user's address guess the password", async () => {
  const node = await world.addNode({ rateLimits: true })
  const [owner, stranger] = [world.newcomer(node), world.newcomer(node)]
  await owner.createAccount('Guessed At', PASSWORD)
  const statuses: number[] = []
  while (statuses.at(-1) !== 429)
    statuses.push((await stranger.login('Guessed At', 'a wrong password')).status)
  expect(statuses).toEqual([...Array(10).fill(401), 429])
  const next = 'staple that battery'
  expect((await owner.post('/api/password', { password: PASSWORD, new_password: next })).status).toBe(204)
  expect((await owner.post('/api/users/delete', { password: next })).status).toBe(204)
})

test('charges an address for password changes only when a user within the own limit asks', async () => {
  const node = await world.addNode({ rateLimits: true, trustProxy: ['loopback'] })
  const address = '192.0.2.21'
  const headers = { 'x-forwarded-for': address }
  const ask = async (client: CheckedClient) =>
    (
      await client.send('/api/password', {
        method: 'POST',
        json: { ...change(), password: 'not this' },
        headers,
      })
    ).status
  const owner = world.newcomer(node)
  await owner.createAccount('Asks Often', PASSWORD)
  const visitor = world.newcomer(node)
  await visitor.session()
  const charges = vi.spyOn(node.app.limits, 'tryTake')
  const charged = () => charges.mock.calls.filter(([limit]) => limit === 'ownPasswordsOfAddress')
  for (const [client, status] of [
    [world.newcomer(node), 401],
    [visitor, 401],
  ] as const)
    expect(await ask(client)).toBe(status)
  expect(charged()).toEqual([])
  const statuses: number[] = []
  while (statuses.at(-1) !== 429) statuses.push(await ask(owner))
  expect(statuses.slice(0, -1).every(status => status === 401)).toBe(true)
  expect(charged()).toEqual(Array(statuses.length - 1).fill(['ownPasswordsOfAddress', address]))
})

test('serves a known player when the address has used up its limit of new guests', async () => {
  exhaust(world.game, ADDRESS, 'guests')
  const { status } = await guest.send('/api/session', { headers: { 'x-forwarded-for': ADDRESS } })
  expect(status).toBe(200)
})

describe('a live stream', () => {
  test('is refused when the address has too many streams, until one of the streams ends', async () => {
    const node = await world.addNode()
    const { streamLimit } = node.app
    for (let n = 1; n < STREAMS_OF_ADDRESS; n += 1) streamLimit.acquire('127.0.0.1')
    const last = await Viewer.open(node.url)
    const refused = await world.newcomer(node).get('/api/live')
    expect(refused.body).toMatchObject({ status: 429, code: 'too_many_requests' })
    expect(refused.headers.get('retry-after')).toBe('10')
    expect(streamLimit.acquire('192.0.2.1')).not.toBeNull()
    await last.close()
    await until('a stream to be opened again', async () => {
      const next = await Viewer.open(node.url)
      await next.close()
      return next.response.status === 200
    })
  })

  test('counts the pages of other sites apart from the game itself', async () => {
    const node = await world.addNode()
    for (let n = 0; n < STREAMS_OF_ADDRESS; n += 1) node.app.streamLimit.acquire('foreign 127.0.0.1')
    const foreign = await world
      .newcomer(node)
      .send('/api/live', { headers: { 'sec-fetch-site': 'cross-site' } })
    expect(foreign.body).toMatchObject({ status: 429 })
    const own = await Viewer.open(node.url)
    expect(own.response.status).toBe(200)
    await own.close()
  })

  test('is opened only once on a connection, even when two requests are pipelined', async () => {
    const node = await world.addNode()
    const served = vi.fn()
    node.server.server.on('request', served)
    const add = vi.spyOn(node.app.broadcast, 'add')
    const socket = await openSocket(node.url)
    const live = 'GET /api/live HTTP/1.1\r\nhost: x\r\n\r\n'
    socket.write(live + live)
    await until('both requests', () => served.mock.calls.length === 2)
    await turn()
    expect(add).toHaveBeenCalledOnce()
    socket.destroy()
  })
})

test('lets at most 40 passwords of one address wait', async () => {
  const { passwords } = (await world.addNode()).app
  await passwords.hash(ADDRESS, PASSWORD)
  const hashes = Array.from({ length: HASH_QUEUE.ofAddress + 5 }, () => passwords.hash(ADDRESS, PASSWORD))
  const results = await Promise.allSettled(hashes)
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(5)
})

test('closes the password queue when the node closes', async () => {
  const node = await world.addNode()
  const refuse = vi.spyOn(node.app.passwords, 'close')
  await node.close()
  expect(refuse).toHaveBeenCalledOnce()
})

import { beforeAll, describe, expect, test, vi } from 'vitest'
import { Client } from '../../tests/support/client.ts'
import type { TestGame } from '../../tests/support/game.ts'
import { openWorld } from '../../tests/support/world.ts'
import { createServer } from '../http/server.ts'
import { Problem } from '../problem.ts'
import { readEnv } from '../settings.mjs'

const world = openWorld()
const PASSWORD = 'correct horse battery'

interface Line {
  readonly level: number
  readonly msg: string
  readonly path?: string
  readonly user?: number
  readonly address?: string
}

let node: TestGame
let lines: string[] = []
beforeAll(async () => {
  const write = (line: string) => void lines.push(line)
  node = await world.addNode({ logFormat: 'json', trustProxy: ['loopback'] }, { write })
})

/** Returns the security events that an action causes in the log. */
async function eventsOf(act: (client: Client) => Promise<unknown>) {
  lines = []
  const client = new Client(node.url)
  await act(client)
  return lines.map((line): Line => JSON.parse(line)).filter(({ address }) => address !== undefined)
}

describe('the log reports', () => {
  test('sign-up, password change, the logout that ends a session, login and deletion with the ID of the account', async () => {
    const next = 'another horse battery'
    const events = await eventsOf(async client => {
      await client.createAccount('Watched Over', PASSWORD)
      await client.post('/api/password', { password: 'a wrong password', new_password: next })
      await client.post('/api/users/delete', { password: 'a wrong password' })
      await client.post('/api/password', { password: PASSWORD, new_password: next })
      await client.post('/api/logout')
      await client.post('/api/logout')
      await client.login('Watched Over', next)
      await client.post('/api/users/delete', { password: next })
    })
    const user = events[0]?.user
    expect(user).toBeGreaterThan(0)
    expect(events).toMatchObject([
      { level: 30, msg: 'account created', user },
      { level: 40, msg: 'password not changed', user },
      { level: 40, msg: 'account not deleted', user },
      { level: 30, msg: 'password changed', user },
      { level: 30, msg: 'signed out', user },
      { level: 30, msg: 'signed in', user },
      { level: 30, msg: 'account deleted', user },
    ])
  })

  test('wrong passwords, unknown names and banned accounts', async () => {
    const { body: guessed } = await new Client(node.url).createAccount('Guessed At', PASSWORD)
    const { body: banned } = await new Client(node.url).createAccount('Sent Off', PASSWORD)
    const user = guessed.user.id
    await world.sql("update users set banned_at = now() where username = 'Sent Off'")
    const events = await eventsOf(async client => {
      await client.login('Guessed At', 'a wrong password')
      await client.login('Nobody Here', 'a wrong password')
      await client.createAccount('Guessed At', 'a wrong password')
      await client.login('Sent Off', PASSWORD)
    })
    expect(events).toMatchObject([
      { level: 40, msg: 'wrong password', path: '/api/login', user },
      { level: 40, msg: 'unknown name', path: '/api/login' },
      { level: 40, msg: 'wrong password for a taken name', path: '/api/users', user },
      { level: 40, msg: 'banned account', path: '/api/login', user: banned.user.id },
    ])
  })

  test('the address of the client, but neither name nor password', async () => {
    const json = { username: 'Nobody Here', password: PASSWORD }
    const headers = { 'x-forwarded-for': '192.0.2.1' }
    const events = await eventsOf(client => client.send('/api/login', { method: 'POST', json, headers }))
    expect(events).toMatchObject([{ msg: 'unknown name', address: '192.0.2.1' }])
    expect(lines.join()).not.toMatch(/Nobody|horse/)
  })
})

test('logs no change of a password and no deletion without a session', async () => {
  const events = await eventsOf(async client => {
    await client.session()
    for (const cookie of ['', 'taps-session=forged', 'taps-player=forged']) {
      const headers = { cookie }
      const change = { password: PASSWORD, new_password: 'another horse battery' }
      const changed = await client.send('/api/password', { method: 'POST', json: change, headers })
      const json = { password: PASSWORD }
      const deleted = await client.send('/api/users/delete', { method: 'POST', json, headers })
      expect([changed.status, deleted.status]).toEqual([401, 401])
    }
  })
  expect(events).toEqual([])
})

test.each([
  new Problem('unavailable', { isUnlogged: true }),
  new Problem('too_many_requests', { retryAfter: 1 }),
])('logs nothing when a queue is full or a limit is reached: $code', async problem => {
  const write = vi.fn()
  const app = createServer(readEnv({}), { write })
  app.get('/', () => {
    throw problem
  })
  await app.inject('/')
  await app.close()
  expect(write).not.toHaveBeenCalled()
})

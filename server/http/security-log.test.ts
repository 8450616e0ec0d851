import { beforeAll, describe, expect, test, vi } from 'vitest'
import { Client } from '../../tests/support/client.ts'
import type { TestGame } from '../../tests/support/game.ts'
import { openWorld } from '../../tests/support/world.ts'

const world = openWorld()
const PASSWORD = 'correct horse battery'
const NAME = 'Watched Over'

interface Line {
  readonly level: number
  readonly event?: string
  readonly path?: string
  readonly account?: number
  readonly from?: string
  readonly withheld?: number
}

let node: TestGame
let text = ''
beforeAll(async () => {
  const stream = {
    write(line: string) {
      text += line
    },
  }
  node = await world.addNode({ logLevel: 'info', trustProxy: ['loopback'] }, stream)
})

/** The events that an act has left in the log. */
async function eventsOf(act: (client: Client) => Promise<unknown>, client = new Client(node.url)) {
  text = ''
  await act(client)
  // The line is written right after the answer; the answer to a further call comes after it.
  await client.get('/healthz')
  return text
    .split('\n')
    .filter(Boolean)
    .map((line): Line => JSON.parse(line))
    .filter(({ event }) => event !== undefined)
}

describe('the log tells', () => {
  test('that an account was made, signed in to, given another password, left and deleted, by its number', async () => {
    const client = new Client(node.url)
    const next = 'another horse battery'
    const events = await eventsOf(async () => {
      await client.createAccount(NAME, PASSWORD)
      await client.post('/api/password', { password: PASSWORD, new_password: next })
      await client.post('/api/logout')
      await client.login(NAME, next)
      await client.post('/api/users/delete', { password: next })
    }, client)
    expect(events.map(({ event }) => event)).toEqual([
      'account made',
      'password changed',
      'signed out',
      'signed in',
      'account deleted',
    ])
    const [{ account } = {}] = events
    expect(account).toBeGreaterThan(0)
    expect(events.map(line => line.account)).toEqual([account, account, undefined, account, account])
    expect(events.every(({ level }) => level === 30)).toBe(true)
  })

  test('of a banned account that is signed in to, and of another site that tries as much', async () => {
    await new Client(node.url).createAccount('Sent Off', PASSWORD)
    await world.sql("update users set banned_at = now() where username = 'Sent Off'")
    const events = await eventsOf(async client => {
      await client.login('Sent Off', PASSWORD)
      await client.createAccount('Sent Off', PASSWORD)
      const credentials = { username: 'Sent Off', password: PASSWORD }
      await client.send('/api/login', {
        method: 'POST',
        json: credentials,
        headers: { 'sec-fetch-site': 'cross-site' },
      })
    })
    expect(events).toMatchObject([
      { level: 40, event: 'banned account', path: '/api/login' },
      { level: 40, event: 'banned account', path: '/api/users' },
      { level: 40, event: 'sent by another site', path: '/api/login' },
    ])
  })

  test('of wrong passwords, unknown names and requests of other sites', async () => {
    await new Client(node.url).createAccount('Guessed At', PASSWORD)
    const events = await eventsOf(async client => {
      await client.login('Guessed At', 'a wrong password')
      await client.login('Nobody Here', 'a wrong password')
      await client.createAccount('Guessed At', 'a wrong password')
      await client.send('/api/claim', { method: 'POST', headers: { 'sec-fetch-site': 'cross-site' } })
    })
    expect(events).toMatchObject([
      { level: 40, event: 'wrong password', path: '/api/login' },
      { level: 40, event: 'unknown name', path: '/api/login' },
      { level: 40, event: 'wrong password for a taken name', path: '/api/users' },
      { level: 40, event: 'sent by another site', path: '/api/claim' },
    ])
  })

  test('one address from another, and neither what it is nor any name or password', async () => {
    const from = (address: string) => (client: Client) =>
      client.send('/api/login', {
        method: 'POST',
        json: { username: 'Nobody Here', password: PASSWORD },
        headers: { 'x-forwarded-for': address },
      })
    const [one] = await eventsOf(from('192.0.2.1'))
    const [same] = await eventsOf(from('192.0.2.1'))
    const [other] = await eventsOf(from('192.0.2.2'))
    expect(one?.from).toMatch(/^[\da-f]{8}$/)
    expect(same?.from).toBe(one?.from)
    expect(other?.from).not.toBe(one?.from)
    expect(text).not.toMatch(/192\.0\.2|Nobody|horse/)
  })

  test('no more than 20 of them in a second, and how many it has withheld', async () => {
    const flood = (client: Client) =>
      Promise.all(
        Array.from({ length: 100 }, () =>
          client.send('/api/claim', { method: 'POST', headers: { 'sec-fetch-site': 'cross-site' } }),
        ),
      )
    const events = await eventsOf(async client => {
      await flood(client)
      await flood(client)
    })
    expect(events.length).toBeLessThan(200)
    expect(events.length).toBeGreaterThan(0)
    const withheld = (lines: readonly Line[]) => lines.reduce((sum, line) => sum + (line.withheld ?? 0), 0)
    // The next second's first line tells of what was withheld in this one, unless that second began within the flood.
    const [later] = await vi.waitUntil(
      async () => {
        const lines = await eventsOf(client => client.login('Nobody Here', PASSWORD))
        return lines.length > 0 && lines
      },
      { timeout: 60_000 },
    )
    const silent = 200 - events.length - withheld(events)
    expect(later?.withheld ?? 0).toBeGreaterThanOrEqual(silent)
  })
})

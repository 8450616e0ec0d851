import type { FastifyRequest } from 'fastify'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { Client } from '../../tests/support/client.ts'
import type { TestGame } from '../../tests/support/game.ts'
import { openSocket } from '../../tests/support/wire.ts'
import { openWorld } from '../../tests/support/world.ts'
import { createApp } from '../app.ts'
import { readEnv } from '../env.ts'
import type { Logger } from '../log.ts'
import { Problem } from '../problem.ts'
import { SecurityLog } from './security-log.ts'

const world = openWorld()
const PASSWORD = 'correct horse battery'
const CROSS_SITE = { method: 'POST', headers: { 'sec-fetch-site': 'cross-site' } }

interface Line {
  readonly level: number
  readonly msg: string
  readonly path?: string
  readonly account?: number
  readonly from?: string
}

let node: TestGame
let lines: string[] = []
beforeAll(async () => {
  const write = (line: string) => void lines.push(line)
  node = await world.addNode({ logFormat: 'json', trustProxy: ['loopback'] }, { write })
})

/** The events that an act has left in the log. */
async function eventsOf(act: (client: Client) => Promise<unknown>) {
  lines = []
  const client = new Client(node.url)
  await act(client)
  return lines.map((line): Line => JSON.parse(line)).filter(({ from }) => from !== undefined)
}

describe('the log tells', () => {
  test('of a wrong password also when nobody waits for the answer', async () => {
    await world.newcomer(node).createAccount('Left Alone', PASSWORD)
    const events = await eventsOf(async () => {
      const socket = await openSocket(node.url)
      const body = JSON.stringify({ username: 'Left Alone', password: 'a wrong password' })
      const head = `POST /api/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`
      socket.end(`${head}\r\n\r\n${body}`)
      await vi.waitUntil(() => lines.join().includes('"from"'), { timeout: 60_000 })
    })
    expect(events).toMatchObject([{ msg: 'wrong password' }])
  })

  test('that an account was made, signed in to, given another password, left and deleted, by its number', async () => {
    const next = 'another horse battery'
    const events = await eventsOf(async client => {
      await client.createAccount('Watched Over', PASSWORD)
      await client.post('/api/password', { password: PASSWORD, new_password: next })
      await client.post('/api/logout')
      await client.login('Watched Over', next)
      await client.post('/api/users/delete', { password: next })
    })
    const account = events[0]?.account
    expect(account).toBeGreaterThan(0)
    expect(events).toMatchObject([
      { level: 30, msg: 'account made', account },
      { level: 30, msg: 'password changed', account },
      { level: 30, msg: 'signed out' },
      { level: 30, msg: 'signed in', account },
      { level: 30, msg: 'account deleted', account },
    ])
  })

  test('of wrong passwords, unknown names, banned accounts and requests of other sites', async () => {
    const { body: guessed } = await new Client(node.url).createAccount('Guessed At', PASSWORD)
    const { body: banned } = await new Client(node.url).createAccount('Sent Off', PASSWORD)
    const account = guessed.user.id
    await world.sql("update users set banned_at = now() where username = 'Sent Off'")
    const events = await eventsOf(async client => {
      await client.login('Guessed At', 'a wrong password')
      await client.login('Nobody Here', 'a wrong password')
      await client.createAccount('Guessed At', 'a wrong password')
      await client.login('Sent Off', PASSWORD)
      await client.send('/api/claim', CROSS_SITE)
      await client.send('/api/login', { ...CROSS_SITE, json: { username: 'Sent Off', password: PASSWORD } })
    })
    expect(events).toMatchObject([
      { level: 40, msg: 'wrong password', path: '/api/login', account },
      { level: 40, msg: 'unknown name', path: '/api/login' },
      { level: 40, msg: 'wrong password for a taken name', path: '/api/users', account },
      { level: 40, msg: 'banned account', path: '/api/login', account: banned.user.id },
      { level: 40, msg: 'sent by another site', path: '/api/claim' },
      { level: 40, msg: 'sent by another site', path: '/api/login' },
    ])
  })

  test('one address from another, and neither what it is nor any name or password', async () => {
    const from = async (address: string) => {
      const json = { username: 'Nobody Here', password: PASSWORD }
      const headers = { 'x-forwarded-for': address }
      const events = await eventsOf(client => client.send('/api/login', { method: 'POST', json, headers }))
      expect(lines.join()).not.toMatch(/192\.0\.2|Nobody|horse/)
      return events[0]?.from
    }
    const one = await from('192.0.2.1')
    expect(one).toMatch(/^[\da-f]{8}$/)
    expect(await from('192.0.2.1')).toBe(one)
    expect(await from('192.0.2.2')).not.toBe(one)
  })
})

test('in a second 20 lines are written, and the first of the next one says how many were withheld', () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(5_000)
  const written = vi.fn<(line: { withheld?: number }) => void>()
  const log = new SecurityLog({ info: written, warn: written } as unknown as Logger)
  const request = { routeOptions: { url: '/api/claim' }, ip: '192.0.2.1' } as FastifyRequest
  for (let n = 0; n < 40; n += 1) log.note(request, 403)
  for (let n = 0; n < 60; n += 1) log.refused('192.0.2.2')
  clock.mockReturnValue(6_000)
  for (let n = 0; n < 2; n += 1) log.note(request, 403)
  // Before anything else has a turn: there is a server in this process.
  clock.mockRestore()
  const nothing = Array.from({ length: 20 }, () => undefined)
  expect(written.mock.calls.map(([{ withheld }]) => withheld)).toEqual([...nothing, 80, undefined])
})

test('where a queue is full one bounded line says so, and no failure is logged beside it', async () => {
  const lines: string[] = []
  const app = createApp(readEnv({ LOG_FORMAT: 'json' }), { write: line => lines.push(line) })
  const securityLog = new SecurityLog(app.log)
  app.addHook('onResponse', async (request, reply) => securityLog.note(request, reply.statusCode))
  app.get('/', () => {
    throw new Problem('unavailable', { isFull: true })
  })
  await app.inject('/')
  await app.close()
  expect(lines.map(line => JSON.parse(line).msg)).toEqual(['told to wait'])
})

test('what anybody can send by the thousand leaves room for a wrong password', () => {
  const warn = vi.fn<(line: object, event: string) => void>()
  const log = new SecurityLog({ info: vi.fn(), warn } as unknown as Logger)
  const request = (url: string, account?: number) =>
    ({ routeOptions: { url }, ip: '192.0.2.1', problem: { details: { account } } }) as FastifyRequest
  for (let n = 0; n < 1_000; n += 1) {
    log.refused('192.0.2.2')
    log.note(request('/api/logout'), 204)
    log.note(request('/api/password'), 401)
  }
  log.note(request('/api/login', 17), 401)
  expect(warn.mock.lastCall?.[1]).toBe('wrong password')
})

import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { describe, expect, test, vi } from 'vitest'
import { PROBLEMS } from '../../contract/problems.ts'
import type { TestGame } from '../../tests/support/game.ts'
import { openSocket } from '../../tests/support/wire.ts'
import { openWorld } from '../../tests/support/world.ts'
import { VERSION } from '../lib/project.ts'

const world = openWorld()

describe('probes', () => {
  test.each([
    ['/healthz', { status: 'ok', version: VERSION }],
    ['/readyz', { status: 'ok' }],
  ])('%s answers 200', async (path, body) => {
    const answer = await fetch(world.game.url + path)
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual(body)
  })
})

test('gives HAProxy the same 503 answer that a node sends', async () => {
  const [head = '', body = ''] = (await readFile('deploy/ha/unavailable.http', 'utf8')).split('\r\n\r\n')
  expect(head).toMatch(/^HTTP\/1.1 503 .*Content-Type: application\/problem\+json\r\nRetry-After: 1\r\n/s)
  expect(JSON.parse(body)).toEqual({ status: 503, code: 'unavailable', title: PROBLEMS.unavailable.title })
})

describe('the metrics', () => {
  const TOKEN = 'a token that only the scraper knows, 32 or more'

  async function read(node: TestGame, headers: Record<string, string> = {}): Promise<number> {
    return (await fetch(`${node.url}/metrics`, { headers })).status
  }

  test('are served to this machine only, and not through a proxy', async () => {
    expect(await read(world.game)).toBe(200)
    for (const name of ['forwarded', 'via', 'x-forwarded-for', 'x-real-ip']) {
      expect(await read(world.game, { [name]: '127.0.0.1' }), name).toBe(404)
    }
  })

  test.each([
    ['localhost', 200],
    ['127.0.0.1:3000', 200],
    ['[::1]:3000', 200],
    ['evil.example', 404],
    ['localhost.evil.example', 404],
  ])('requested with Host %s are answered with status %i', async (host, status) => {
    const sent = request(`${world.game.url}/metrics`, { headers: { host } }).end()
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    answer.resume()
    expect(answer.statusCode).toBe(status)
  })

  test('are served to any client when METRICS is open', async () => {
    expect(await read(await world.addNode({ metrics: 'open' }), { 'x-forwarded-for': '192.0.2.7' })).toBe(200)
  })

  test('are served only with the token when METRICS is a token, and otherwise ask for it', async () => {
    const node = await world.addNode({ metrics: { token: TOKEN } })
    const readWith = (token: string) => read(node, { authorization: `Bearer ${token}` })
    expect(await readWith(TOKEN)).toBe(200)
    expect(await read(node, { authorization: `bearer ${TOKEN}` })).toBe(200)
    for (const authorization of ['', TOKEN, 'Bearer', 'Bearer ', `Bearer ${TOKEN}x`, `Basic ${TOKEN}`]) {
      const answer = await fetch(`${node.url}/metrics`, { headers: { authorization } })
      expect(answer.headers.get('www-authenticate'), authorization).toBe('Bearer')
      expect(await answer.json()).toMatchObject({ status: 401, code: 'metrics_token' })
    }
    expect((await fetch(`${node.url}/metrics`)).status).toBe(401)
  })
})

test('logs nothing when a client disconnects in the middle of a request body', async () => {
  const write = vi.fn()
  const node = await world.addNode({ logLevel: 'warn' }, { write })
  const arrival = once(node.server.server, 'request')
  const socket = await openSocket(node.url)
  const head =
    'POST /api/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n'
  socket.write(`${head}\r\n{`)
  const [request] = await arrival
  socket.destroy()
  await new Promise(resolve => request.once('close', resolve))
  expect(write).not.toHaveBeenCalled()
})

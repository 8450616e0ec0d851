import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { describe, expect, test, vi } from 'vitest'
import { CALLS, type Call, type Recorded } from '../../contract/api.ts'
import { PROBLEMS } from '../../contract/problems.ts'
import type { TestGame } from '../../tests/support/game.ts'
import { DatabaseRelay } from '../../tests/support/relay.ts'
import { openWorld } from '../../tests/support/world.ts'
import { VERSION } from '../lib/version.ts'

const world = openWorld()

describe('probes', () => {
  test.each([
    ['/healthz', { status: 'ok', version: VERSION }],
    ['/readyz', { status: 'ok' }],
  ])('%s says ok', async (path, body) => {
    const answer = await fetch(world.game.url + path)
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual(body)
  })

  test('/metrics counts attempts, wins and requests for Prometheus', async () => {
    const guest = world.newcomer()
    const before = await metric('taps_attempts_total')
    const wins = await metric('taps_wins_total')
    const { body } = await guest.play((await guest.session()).round, 500)
    await guest.play(body.round, 0)
    expect(await metric('taps_attempts_total')).toBe(before + 2)
    expect(await metric('taps_wins_total')).toBe(wins + 1)
    expect(await metric('taps_viewers')).toBe(0)
    const answered = 'taps_request_seconds_count{route="/api/attempts",status="201"}'
    expect(await metric(answered)).toBeGreaterThanOrEqual(2)
  })
})

describe('the figures', () => {
  const TOKEN = 'a token that only the scraper knows, 32 or more'

  async function read(node: TestGame, headers: Record<string, string> = {}): Promise<number> {
    return (await fetch(`${node.url}/metrics`, { headers })).status
  }

  test.each(['forwarded', 'via', 'x-forwarded-for', 'x-real-ip'])(
    'are for this machine alone: what a proxy passes on with %s finds nothing',
    async name => {
      expect(await read(world.game)).toBe(200)
      expect(await read(world.game, { [name]: '127.0.0.1' })).toBe(404)
    },
  )

  test.each([
    ['localhost', 200],
    ['127.0.0.1:3000', 200],
    ['[::1]:3000', 200],
    ['evil.example', 404],
    ['localhost.evil.example', 404],
  ])('asked for at %s are answered %i', async (host, status) => {
    const asking = request(`${world.game.url}/metrics`, { headers: { host } }).end()
    const [answer] = (await once(asking, 'response')) as [IncomingMessage]
    answer.resume()
    expect(answer.statusCode).toBe(status)
  })

  test('are for everybody where the operator says so', async () => {
    expect(await read(await world.addNode({ metrics: 'open' }), { 'x-forwarded-for': '192.0.2.7' })).toBe(200)
  })

  test('are for whoever brings the token, where there is one', async () => {
    const node = await world.addNode({ metrics: { token: TOKEN } })
    const bearing = (token: string) => read(node, { authorization: `Bearer ${token}` })
    expect(await bearing(TOKEN)).toBe(200)
    expect(await read(node)).toBe(404)
    expect(await read(node, { authorization: TOKEN })).toBe(404)
    expect(await bearing(`${TOKEN}x`)).toBe(404)
    expect(await bearing('')).toBe(404)
  })

  test('name no player, no account and no address', async () => {
    const player = world.newcomer()
    const { body } = await player.createAccount('Never A Figure', 'correct horse battery')
    await player.play(body.round, 0)
    const text = await (await fetch(`${world.game.url}/metrics`)).text()
    expect(text).not.toMatch(/Never A Figure|127\.0\.0\.1/)
  })
})

/** One figure of the first node. */
async function metric(name: string): Promise<number> {
  const answer = await fetch(`${world.game.url}/metrics`)
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain/)
  const line = (await answer.text()).split('\n').find(text => text.startsWith(`${name} `))
  return Number(line?.slice(name.length))
}

describe('the OpenAPI document', () => {
  interface Operation {
    summary: string
    requestBody?: { content: Record<string, unknown> }
    responses: Record<string, { description: string; content?: Record<string, unknown> }>
  }

  async function operation({ url, method }: Call): Promise<Operation | undefined> {
    const answer = await fetch(`${world.game.url}/api/openapi.json`)
    expect(answer.status).toBe(200)
    const { openapi, paths } = (await answer.json()) as {
      openapi: string
      paths: Record<string, Record<string, Operation>>
    }
    expect(openapi).toBe('3.1.0')
    return paths[url]?.[method.toLowerCase()]
  }

  test.each<Call>(Object.values(CALLS))('describes $method $url', async call => {
    const described = await operation(call)
    expect(described?.summary).toBe(call.summary)
    expect(Object.keys(described?.responses ?? {})).toEqual(expect.arrayContaining(Object.keys(call.answers)))
    for (const code of call.problems) {
      const refusal = described?.responses[PROBLEMS[code].status]
      expect(refusal?.description).toContain(code)
      expect(Object.keys(refusal?.content ?? {})).toEqual(['application/problem+json'])
    }
    expect(Object.keys(described?.requestBody?.content ?? {})).toEqual(call.body ? ['application/json'] : [])
  })

  test('can be browsed', async () => {
    const page = await fetch(`${world.game.url}/api/docs`)
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toMatch(/^text\/html/)
  })
})

describe('while the database is away', () => {
  async function nodeOnRelay() {
    const relay = await DatabaseRelay.open(world.database.connection)
    const written = { text: '' }
    const stream = {
      write(line: string) {
        written.text += line
      },
    }
    const start = () => world.addNode({ logLevel: 'warn' }, stream, relay.connection)
    return { relay, start, written }
  }

  function ready(url: string): Promise<boolean> {
    return vi.waitUntil(async () => (await fetch(`${url}/readyz`)).status === 200, { timeout: 60_000 })
  }

  test('every call that needs it is told to come back, the process stays up, and all recovers by itself', async () => {
    const { relay, start, written } = await nodeOnRelay()
    await relay.mend()
    const node = await start()
    const guest = world.newcomer(node)
    const { round } = await guest.session()
    const attempt = { start: await guest.start(round), username: 'Patient', actual_time: 2 }
    await relay.cut()

    const answers = await Promise.all([
      guest.get<{ id?: string }>('/api/session'),
      guest.get<{ id?: string }>('/api/prize-pool'),
      guest.get<{ id?: string }>('/api/attempts'),
      guest.post<{ id?: string }>('/api/rounds', { round: round.token }),
      guest.post<{ id?: string }>('/api/attempts', attempt),
      guest.login('Patient', 'correct horse battery'),
      guest.get<{ id?: string }>('/readyz'),
    ])
    for (const { status, body, headers } of answers) {
      expect(status).toBe(503)
      expect(body).toMatchObject({ code: 'unavailable', id: expect.stringMatching(/^[\da-f-]{36}$/) })
      expect(headers.get('retry-after')).toBe('1')
      expect(JSON.stringify(body)).not.toMatch(/ECONN|127\.0\.0\.1|terminated/)
      expect(written.text).toContain((body as { id?: string }).id)
    }
    expect((await fetch(`${node.url}/healthz`)).status).toBe(200)
    expect((await fetch(node.url)).status).toBe(200)

    await relay.mend()
    await ready(node.url)
    const recorded = await guest.post<Recorded>('/api/attempts', attempt)
    expect(recorded.status).toBe(201)
    expect((await guest.session()).round).toEqual(recorded.body.round)
    for (const secret of [...guest.cookies.values(), attempt.start, round.token, 'correct horse']) {
      expect(written.text).not.toContain(secret)
    }
    await node.close()
    await relay.cut()
  })

  test('a lost answer is not a lost attempt: it is sent again and counts once', async () => {
    const { relay, start } = await nodeOnRelay()
    await relay.mend()
    const node = await start()
    const guests = Array.from({ length: 30 }, () => world.newcomer(node))
    const attempts = await Promise.all(
      guests.map(async guest => ({
        guest,
        body: {
          start: await guest.start((await guest.session()).round),
          username: 'Cut Off',
          actual_time: 2,
        },
      })),
    )
    const first = Promise.all(attempts.map(({ guest, body }) => guest.post('/api/attempts', body)))
    await relay.cut()
    expect((await first).every(({ status }) => status === 201 || status === 503)).toBe(true)
    await relay.mend()
    await ready(node.url)
    const again = await Promise.all(attempts.map(({ guest, body }) => guest.post('/api/attempts', body)))
    expect(again.every(({ status }) => status === 201 || status === 200)).toBe(true)
    expect(await world.sql("select from attempts where username = 'Cut Off'")).toHaveLength(30)
    await node.close()
    await relay.cut()
  })

  test('a node can start, and serves once the database is there', async () => {
    const { relay, start } = await nodeOnRelay()
    const node = await start()
    const guest = world.newcomer(node)
    for (const path of ['/api/session', '/api/prize-pool', '/api/live', '/readyz']) {
      expect((await guest.get(path)).status, path).toBe(503)
    }
    await relay.mend()
    await ready(node.url)
    expect((await guest.get('/api/session')).status).toBe(200)
    expect((await guest.get('/api/prize-pool')).status).toBe(200)
    await node.close()
    await relay.cut()
  })

  test('connections that the database ends are made anew', async () => {
    const guest = world.newcomer()
    await guest.session()
    await world.sql(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    )
    await ready(world.game.url)
    expect((await guest.get('/api/session')).status).toBe(200)
  })
})

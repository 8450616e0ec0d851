import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TLSSocket } from 'node:tls'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { median } from '../../bench/section.ts'
import type { AttemptList } from '../../contract/api.ts'
import { LIMITS } from '../../contract/limits.ts'
import { Auditor } from '../support/audit.ts'
import { Client } from '../support/client.ts'
import { Crowd } from '../support/crowd/crowd.ts'
import { freePort } from '../support/free-port.ts'
import { ServerNode } from '../support/node.ts'
import { Random } from '../support/random.ts'
import { newDataDir, SharedPostgres } from '../support/shared-postgres.ts'
import { until } from '../support/until.ts'
import { Viewer } from '../support/viewer.ts'
import { FLOODS, Flood, type FloodName, openTls } from './flood.ts'
import { IN_PROGRESS_MAX, PROXIES } from './proxies.ts'
import { ask, type RunningProxy, runProxy } from './proxy.ts'

/** `npm run test:deploy` sets PROXY to the installed proxies. */
const { PROXY = 'nginx,haproxy,caddy' } = process.env
const PASSWORD = 'correct horse battery'
const PLAYERS = 8
/** The pause after each round, which keeps the players below the limit of 10 calls per second and player. */
const PAUSE_MS = 600
const BEYOND = 20
/** The number of answers in a flood, above the bursts of ten addresses at nginx and HAProxy. */
const FLOOD = 25_000
const ROUNDS = 10
/** A request with an incomplete body, so that the proxy waits for the rest. */
const UNFINISHED =
  'POST /api/logout HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n'

let dataDir = ''
let node: ServerNode

beforeAll(async () => {
  // `fetch` would refuse the self-signed certificate.
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
  dataDir = await newDataDir()
  node = await ServerNode.start({ DATA_DIR: dataDir, TRUST_PROXY: 'loopback', RATE_LIMITS: 'on' })
})

afterAll(async () => {
  vi.unstubAllEnvs()
  await node.end('SIGTERM')
  await rm(dataDir, { recursive: true, force: true })
})

const KINDS = PROXIES.filter(({ name }) => PROXY.split(',').includes(name)).map(
  kind => [kind.name, kind] as const,
)

describe.each(KINDS)('%s', (_name, kind) => {
  let proxy: RunningProxy
  const address = (n: number) => `${kind.network}.${n}`

  beforeAll(async () => {
    proxy = await runProxy(kind, [node.url])
  })
  afterAll(() => proxy?.stop())

  test('passes on a whole game and every live event immediately', async () => {
    const player = new Client(proxy.url)
    const viewer = await Viewer.open(proxy.url)
    const { body } = await player.play(500, `By ${kind.name}`)
    const seen = () => viewer.latest('attempts')?.attempts.some(({ id }) => id === body.attempt.id)
    await until('the attempt in the stream', seen)
    await viewer.close()
    const won = await player.play(0)
    expect((await player.createAccount(`By ${kind.name}`, PASSWORD)).status).toBe(201)
    const claimed = await player.post<{ taps: number }>('/api/claim')
    expect(claimed.body.taps).toBe(won.body.prize?.taps)
    // The scripts are larger than a proxy's memory buffer.
    const page = await (await fetch(proxy.url)).text()
    for (const [, path] of page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)) {
      const part = await fetch(proxy.url + path)
      expect(part.status).toBe(200)
      expect((await part.arrayBuffer()).byteLength).toBeGreaterThan(100)
    }
  })

  test('reports to the node that a request used TLS', async () => {
    const { headers } = await ask(`${proxy.url}/api/session`, address(1))
    expect(headers['set-cookie']).toEqual([expect.stringMatching(/^__Host-taps-player=.*; Secure;/)])
    expect(headers['strict-transport-security']).toBe('max-age=63072000')
    expect((await ask(`${proxy.url}/metrics`, address(1))).status).toBe(404)
  })

  test('redirects plain HTTP to the configured name, whatever host the request names', async () => {
    const redirected = await ask(`${proxy.plainUrl}/a?b=c`, address(1), { host: 'elsewhere.example' })
    expect(redirected.headers.location).toBe('https://taps.example.org/a?b=c')
  })

  test('limits each address separately, even when requests forge X-Forwarded-For', async () => {
    const { burst } = LIMITS.guests
    const visit = async (from: number, forged: number) => {
      const headers = { 'x-forwarded-for': `192.0.2.${forged}` }
      return (await ask(`${proxy.url}/api/session`, address(from), headers)).status
    }
    const statuses: number[] = []
    for (let n = 0; n < burst; n += 1) statuses.push(await visit(2, n))
    expect(new Set(statuses)).toEqual(new Set([200]))
    // Uses up the requests that the limit has refilled during the loop.
    await until('the limit', async () => (await visit(2, 200)) === 429)
    expect(await visit(3, 200)).toBe(200)
  })

  test('loses no call while two nodes restart one after the other', async () => {
    const postgres = await SharedPostgres.open()
    const settings = await Promise.all(
      [0, 1].map(async () => ({ ...postgres.settings(), PORT: `${await freePort('127.0.0.1')}` })),
    )
    const nodes = await Promise.all(settings.map(each => ServerNode.start(each)))
    const urls = nodes.map(({ url }) => url)
    const before = await runProxy(kind, urls)
    const auditor = new Auditor(postgres.connection)
    const url = () => before.url
    const crowd = new Crowd({ players: PLAYERS, random: new Random(1), url, pauseMs: PAUSE_MS, auditor })
    const reads = keepReading(before.url, () => crowd.leaving)
    for (const [n, each] of settings.entries()) {
      await until('an attempt at this node', () => hasRecorded(urls[n]))
      await nodes[n]?.end('SIGTERM')
      nodes[n] = await ServerNode.start(each)
      await until('an attempt at this node', () => hasRecorded(urls[n]))
    }
    await crowd.leave()
    expect(await reads).toEqual(new Set([200]))
    await auditor.close()
    await before.stop()
    for (const each of nodes) await each.end('SIGTERM')
    await postgres.close()
    if (kind.passesPosts)
      expect(Array.from(crowd.statuses.keys()).filter(it => it === 'lost' || it > 499)).toEqual([])
  })

  describe('while ten addresses flood the proxy', () => {
    const rows = Object.keys(FLOODS).flatMap((name, place) => {
      const flood = name as FloodName
      const from = Array.from({ length: 10 }, (_, n) => address(10 * (place + 2) + n))
      const elsewhere = ['at another address', flood, from] as const
      // All clients of these tests have the address 127.0.0.1.
      const sharing = ['at one of these addresses', flood, ['127.0.0.1', ...from.slice(1)]] as const
      return kind.hasLimits ? [elsewhere, sharing] : [elsewhere]
    })

    let player: Client
    // One player for each flood, because a proxy limits a player to 100 requests in ten seconds.
    let players: Client[] = []
    // The players join first, because a proxy would refuse new players during a flood.
    beforeAll(async () => {
      players = rows.map(() => new Client(proxy.url))
      for (const each of players) await each.session()
    })
    beforeEach(() => {
      player = players.shift() ?? player
    })

    test.each(rows)('serves every call of a player %s (%s flood)', async (place, name, from) => {
      const before = await playRounds(player, async () => undefined)
      const flood = new Flood(proxy.url, from, name)
      onTestFinished(() => flood.end())
      const share = (n: number) => until('the flood', () => flood.answers > (FLOOD * n) / ROUNDS)
      const { ids, startsMs } = await playRounds(player, share)
      const multiples = [median(startsMs), Math.max(...startsMs)].map(ms => ms / median(before.startsMs))
      const figures = multiples.map(multiple => multiple.toFixed(1)).join(', ')
      process.stdout.write(`| ${kind.name}: ${name}, a player ${place} | ${figures} |\n`)
      const { body } = await player.get<AttemptList>('/api/attempts/mine')
      expect(body.attempts.slice(0, ROUNDS).map(({ id }) => id)).toEqual(ids.toReversed())
    })
  })

  test.runIf(kind.hasLimits)(
    'refuses requests from an address with too many requests in progress',
    async () => {
      const opening = Array.from({ length: IN_PROGRESS_MAX + BEYOND }, () => openTls(proxy.url, address(4)))
      const sockets = await Promise.all(opening)
      const refused = new Set<TLSSocket>()
      for (const socket of sockets) {
        for (const event of ['data', 'error', 'close']) socket.on(event, () => refused.add(socket))
        socket.write(UNFINISHED)
      }
      await until('the refusals', () => refused.size === BEYOND)
      expect((await ask(`${proxy.url}/healthz`, address(5))).status).toBe(200)
      expect(refused.size).toBe(BEYOND)
      for (const socket of sockets) socket.destroy()
    },
  )
})

/** Plays rounds that must all be recorded, each after `ready`, and times the Starts. */
async function playRounds(player: Client, ready: (round: number) => Promise<unknown>) {
  const ids: number[] = []
  const startsMs: number[] = []
  for (let round = 1; round <= ROUNDS; round += 1) {
    await ready(round)
    const began = performance.now()
    const started = await player.start()
    startsMs.push(performance.now() - began)
    const { status, body } = await player.stop(started, 500)
    expect(status).toBe(201)
    ids.push(body.attempt.id)
  }
  return { ids, startsMs }
}

/** Checks whether the proxy uses a node: whether the node has recorded an attempt since its start. */
async function hasRecorded(url = ''): Promise<boolean> {
  return /^taps_attempts_total [1-9]/m.test(await (await fetch(`${url}/metrics`)).text())
}

/** Reads the session until `hasEnded`, and returns the statuses. Rejects when a connection breaks. */
async function keepReading(url: string, hasEnded: () => boolean): Promise<Set<number>> {
  const reader = new Client(url)
  const statuses = new Set<number>()
  while (!hasEnded()) {
    statuses.add((await reader.get('/api/session')).status)
    await sleep(PAUSE_MS)
  }
  return statuses
}

import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Recorded, Round, Session, Start } from '../../../contract/api.ts'
import { CONCURRENCY, LIMITS } from '../../../contract/limits.ts'
import { Client } from '../../support/client.ts'
import { Crowd } from '../../support/crowd.ts'
import { LedgerWatch } from '../../support/ledger-watch.ts'
import { ServerNode } from '../../support/node.ts'
import { Random } from '../../support/random.ts'
import { newDataDir } from '../../support/shared-postgres.ts'
import { report, SEED, sized } from '../../support/size.ts'
import { ownStage } from '../../support/stage.ts'
import { expectNothingLost } from '../../support/verdict.ts'
import { Peer } from '../hostile/peer.ts'
import { memoryOf } from '../hostile/process.ts'
import { Wire } from '../wire.ts'

const ATTACKER = '127.0.0.7'
const ANOTHER = '127.0.0.6'
const NEIGHBOURS = '127.0.0.8'
const PLAYERS = 4
/** Two rounds a second each, of two calls: below what one player may do. */
const PAUSE_MS = 500
/** So many attempts are recorded while the attack goes on. */
const MEANWHILE = sized(4, 200)
const PIPELINED = 50
const WAVES = sized(1, 20)
/** Of somebody at the attacker's own address, after a first one. */
const ROUNDS = 10
const LATE_MS = 40_000
const MINUTE_MS = 60_000
/** What 12,000 hostile requests may leave behind, MB; each of them kept would be 40 more. */
const MAX_MORE_MB = sized(120, 160)

const { burst, perMinute } = LIMITS.requests
const stage = ownStage({ RATE_LIMITS: 'on', PRIZE_HOLD_MINUTES: '600' })

let crowd: Crowd
let watch: LedgerWatch
let proxied: ServerNode
beforeAll(async () => {
  crowd = new Crowd({
    players: PLAYERS,
    random: new Random(SEED),
    url: () => stage.node.url,
    pauseMs: PAUSE_MS,
  })
  watch = new LedgerWatch(stage.auditor, PAUSE_MS)
  await crowd.more(PLAYERS)
  proxied = await ServerNode.start({
    RATE_LIMITS: 'on',
    TRUST_PROXY: 'loopback',
    DATA_DIR: await newDataDir(),
  })
})

const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nhost: x\r\n${more}\r\n`

/** Sends so many requests at once, again and again, until the connection has been ended. */
async function press(peer: Peer, path: string): Promise<void> {
  for (let sent = PIPELINED; peer.isOpen; sent += PIPELINED) {
    peer.say(get(path).repeat(PIPELINED))
    await peer.answers(sent, LATE_MS)
  }
}

/** What a connection of an address is answered; undefined for nothing at all. */
async function statusOf(from: string): Promise<number | undefined> {
  const peer = await Peer.open(stage.node.url, from)
  peer.say(get('/healthz'))
  const [status] = await peer.answers(1, LATE_MS)
  peer.leave()
  return status
}

/** Waits until connections of an address that asked for too much are taken again. */
function untilTaken(from: string): Promise<boolean> {
  return vi.waitUntil(async () => (await statusOf(from)) === 200, { timeout: LATE_MS, interval: 20 })
}

const count = (peers: readonly Peer[], status: number) =>
  peers.flatMap(({ statuses }) => statuses).filter(one => one === status).length

test.each([
  [100, '/healthz', ATTACKER],
  [200, '/', ANOTHER],
])(
  'an address that presses on %i connections with GET %s gets its allowance and one 429 on each',
  async (n, path, from) => {
    const { nowMb: before } = await memoryOf(stage.node.pid)
    for (let wave = 0; wave < WAVES; wave += 1) {
      await untilTaken(from)
      const startedAt = performance.now()
      const opened = await Promise.allSettled(
        Array.from({ length: n }, () => Peer.open(stage.node.url, from)),
      )
      const peers = opened.flatMap(result => (result.status === 'fulfilled' ? [result.value] : []))
      await Promise.all(peers.map(peer => press(peer, path)))
      const refilled = ((performance.now() - startedAt) / MINUTE_MS) * perMinute
      const refused = count(peers, 429)
      const served = peers.reduce((sum, { total }) => sum + total, -refused)
      report(`${n} connections, GET ${path}`, { connections: peers.length, served, refused })
      expect(served).toBeLessThanOrEqual(burst + refilled + 1)
      expect(refused).toBeGreaterThan(0)
      for (const peer of peers) {
        const [refusal, ...more] = peer.heads.filter(head => head.startsWith('HTTP/1.1 429'))
        expect(more).toEqual([])
        if (refusal) expect(refusal).toMatch(/\r\nconnection: close\r\n/i)
      }
    }
    await expectPlay()
    expect((await memoryOf(stage.node.pid)).nowMb - before).toBeLessThan(MAX_MORE_MB)
  },
)

test('its further connections are refused for a while, and taken again after it', async () => {
  const isRefused = async () => {
    const opened = Array.from({ length: PIPELINED }, () => Peer.open(stage.node.url, ATTACKER))
    const pressed = opened.map(peer => peer.then(one => press(one, '/healthz')).catch(() => undefined))
    // One has been ended: what the address opens now finds nobody.
    await Promise.race(pressed)
    const status = await statusOf(ATTACKER)
    await Promise.all(pressed)
    return status === undefined
  }
  await untilTaken(ATTACKER)
  await vi.waitUntil(isRefused, { timeout: LATE_MS, interval: 20 })
  await untilTaken(ATTACKER)
  await expectPlay()
})

test('an address has connections for forty people, and no more', async () => {
  const { ofAddress } = CONCURRENCY.connections
  const from = '127.0.0.9'
  const peers = await Promise.all(
    Array.from({ length: ofAddress + 40 }, () => Peer.open(stage.node.url, from)),
  )
  const open = () => peers.filter(({ isOpen }) => isOpen).length
  await vi.waitUntil(() => open() <= ofAddress, { timeout: LATE_MS })
  expect(open()).toBe(ofAddress)
  await expectPlay()
  for (const peer of peers) peer.leave()
})

/** Somebody who plays over one kept connection. */
class Honest {
  readonly wire: Wire
  readonly #cookie: string
  readonly #headers: string
  #round: Round

  private constructor(wire: Wire, cookie: string, headers: string, round: Round) {
    this.wire = wire
    this.#cookie = cookie
    this.#headers = headers
    this.#round = round
  }

  /** @param forwardedFor whose requests these are, through a proxy */
  static async come(url: string, from: string, forwardedFor = ''): Promise<Honest> {
    const headers = forwardedFor && `x-forwarded-for: ${forwardedFor}\r\n`
    const browser = new Client(url)
    const { body } = await browser.get<Session>('/api/session')
    const cookie = Array.from(browser.cookies, ([name, value]) => `${name}=${value}`).join('; ')
    return new Honest(await Wire.open(url, from), cookie, headers, body.round)
  }

  /** Plays a round; gives the statuses of Start and Stop. */
  async play(): Promise<number[]> {
    const started = await this.#post('/api/rounds', { round: this.#round.token })
    const { start } = started.body as Start
    const stopped = await this.#post('/api/attempts', { start, username: 'Honest', actual_time: 9 })
    const { round } = stopped.body as Recorded
    this.#round = round
    return [started.status, stopped.status]
  }

  async #post(path: string, json: unknown) {
    this.wire.prepare(path, this.#cookie, json, this.#headers)
    this.wire.release()
    return this.wire.answer()
  }
}

test('who plays at the very address of the attacker plays on, on the same connection', async () => {
  const honest = await Honest.come(stage.node.url, NEIGHBOURS)
  expect(await honest.play()).toEqual([201, 201])
  const peers = await Promise.all(Array.from({ length: 40 }, () => Peer.open(stage.node.url, NEIGHBOURS)))
  await Promise.all(peers.map(peer => press(peer, '/healthz')))
  expect(count(peers, 429)).toBeGreaterThan(0)
  for (let n = 0; n < ROUNDS; n += 1) expect(await honest.play()).toEqual([201, 201])
  expect(honest.wire.isOpen).toBe(true)
  honest.wire.close()
})

test('behind a proxy a connection stays, whatever one visitor does, and the others are served on it', async () => {
  const visitor = '192.0.2.7'
  const honest = await Honest.come(proxied.url, '127.0.0.1', visitor)
  expect(await honest.play()).toEqual([201, 201])
  const proxy = await Peer.open(proxied.url)
  const ask = (from: string) => proxy.say(get('/healthz', `x-forwarded-for: ${from}\r\n`))
  for (let sent = 0; proxy.statuses.at(-1) !== 429; sent += 1) {
    expect(sent).toBeLessThan(10 * burst)
    const before = proxy.total
    for (let n = 0; n < PIPELINED; n += 1) ask(visitor)
    await vi.waitUntil(() => proxy.total >= before + PIPELINED, { timeout: LATE_MS, interval: 1 })
  }
  expect(proxy.heard).not.toMatch(/connection: close/i)
  const before = proxy.total
  ask('192.0.2.8')
  await vi.waitUntil(() => proxy.total > before, { timeout: LATE_MS })
  expect(proxy.statuses.at(-1)).toBe(200)
  expect(await honest.play()).toEqual([201, 201])
  expect(proxy.isOpen).toBe(true)
  proxy.leave()
  honest.wire.close()
})

/** Whoever plays goes on with it, and none of it is refused. */
async function expectPlay(): Promise<void> {
  await crowd.more(MEANWHILE)
  expect(crowd.wrongs).toEqual([])
}

afterAll(async () => {
  report('an attack on connections', await expectNothingLost(crowd, watch, stage.auditor, 1 + ROUNDS))
})

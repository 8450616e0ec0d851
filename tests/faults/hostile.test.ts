import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { CONCURRENCY } from '../../contract/limits.ts'
import { Crowd } from '../support/crowd.ts'
import { LedgerWatch } from '../support/ledger-watch.ts'
import { ServerNode } from '../support/node.ts'
import { Random } from '../support/random.ts'
import { report, SEED, sized } from '../support/size.ts'
import { ownStage } from '../support/stage.ts'
import { expectNothingLost } from '../support/verdict.ts'
import { BURSTS, type Burst } from './hostile/bursts.ts'
import { Peer } from './hostile/peer.ts'
import { memoryOf, openFilesOf } from './hostile/process.ts'

const LONG = sized(false, true)
const PLAYERS = 6
/** Two rounds a second each, of two calls: below what one player may do. */
const PAUSE_MS = 500
const READ_PAUSE_MS = 50
/** So many attempts are recorded while something hostile goes on, or after it. */
const MEANWHILE = sized(3, 30)

const ROUNDS = sized(1, 20)
/** Few enough that no address of ours waits for the system to take its connection. */
const AT_ONCE = 20
const IDLE = sized(150, 10_000)
const SLOW = sized(30, 1_000)
const DEAF = sized(20, 500)
const VIEWERS = sized(50, 1_000)
/** Below what one address may have of connections, and of streams without a cookie. */
const OF_ADDRESS = 50

/** The server allows 15 s for a whole request and looks every 5 s; a machine that is busy takes its time. */
const LATE_MS = 40_000
/** Nothing has moved on a connection for two minutes. */
const STANDSTILL_MS = 160_000
const BACK_MS = 60_000
/** The database's connections come and go; so do those of the players. */
const FILES_MORE = 40
/** 10,000 connections and 1,000 streams take about 250 MB; what a leak of the long version took would be far above. */
const MAX_MB = sized(350, 700)

const LIVE = 'GET /api/live HTTP/1.1\r\nhost: x\r\n\r\n'
const POST = 'POST /api/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n'

const random = new Random(SEED)
const stage = ownStage({ RATE_LIMITS: 'on', PRIZE_HOLD_MINUTES: '600' })
const statuses = new Map<number, number>()

let crowd: Crowd
let watch: LedgerWatch
let quietFiles = 0
beforeAll(async () => {
  crowd = new Crowd({ players: PLAYERS, random, url: () => stage.node.url, pauseMs: PAUSE_MS })
  watch = new LedgerWatch(stage.auditor, READ_PAUSE_MS)
  await crowd.more(PLAYERS)
  quietFiles = await openFilesOf(stage.node.pid)
})

/** Hostile peers come from addresses of their own, so that only what they share with others harms these. */
const hostile = (n: number) => `127.0.1.${1 + Math.floor(n / OF_ADDRESS)}`

/** Opens connections, as many as the machine has. */
async function open(count: number, use: (peer: Peer) => void, from = hostile): Promise<Peer[]> {
  const peers: Peer[] = []
  while (peers.length < count) {
    const some = Math.min(AT_ONCE, count - peers.length)
    const opened = await Promise.allSettled(
      Array.from({ length: some }, (_, n) => Peer.open(stage.node.url, from(peers.length + n))),
    )
    const got = opened.flatMap(result => (result.status === 'fulfilled' ? [result.value] : []))
    for (const peer of got) use(peer)
    peers.push(...got)
    if (got.length < some) break
  }
  return peers
}

/** Sends one burst; the connection has to end in bounded time. */
async function send({ bytes, answers }: Burst, from: string): Promise<void> {
  const peer = await Peer.open(stage.node.url, from)
  peer.say(bytes)
  peer.finish()
  await peer.answers(answers, LATE_MS)
  const ended = await Promise.race([peer.closed.then(() => true), sleep(LATE_MS, false, { ref: false })])
  expect(ended, `the connection of ${JSON.stringify(bytes.slice(0, 200))}`).toBe(true)
  expectNoFailure(peer, bytes)
}

/** No answer is a failure of ours. */
function expectNoFailure(peer: Peer, bytes = ''): void {
  for (const status of peer.statuses) {
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    if (status !== 503) expect(status, JSON.stringify(bytes.slice(0, 200))).toBeLessThan(500)
  }
  // Who comes when a queue is full is told when to come back.
  for (const head of peer.heads)
    if (head.startsWith('HTTP/1.1 503')) expect(head).toMatch(/\r\nretry-after: \d/i)
}

/** Whoever plays goes on with it, and the server is well. */
async function expectPlay(): Promise<void> {
  await crowd.more(MEANWHILE)
  expect(crowd.wrongs).toEqual([])
  expect((await fetch(`${stage.node.url}/readyz`)).status).toBe(200)
  expect((await memoryOf(stage.node.pid)).mostMb).toBeLessThan(MAX_MB)
}

/** The server lets go of what it had to do with these, by itself in the long version, when they go in the short one. */
async function expectEnd(peers: readonly Peer[], timeout = LATE_MS): Promise<void> {
  for (const peer of peers) expectNoFailure(peer)
  if (!LONG) for (const peer of peers) peer.leave()
  const { pid } = stage.node
  await vi.waitUntil(async () => (await openFilesOf(pid)) < quietFiles + FILES_MORE, {
    timeout,
    interval: 20,
  })
  for (const peer of peers) peer.leave()
}

describe('honest players play on', () => {
  test.each(Object.entries(BURSTS))('during %s', async (_, bursts) => {
    const all = Array.from({ length: ROUNDS }, () => random.shuffle(bursts)).flat()
    // From ever other addresses: who sends too much is told so before it is looked at.
    const sender = (n: number) => `127.0.2.${1 + (n % 250)}`
    for (let n = 0; n < all.length; n += AT_ONCE) {
      await Promise.all(all.slice(n, n + AT_ONCE).map((burst, m) => send(burst, sender(n + m))))
    }
    await expectPlay()
    await expectEnd([])
  })

  test(`while ${IDLE} connections say nothing`, async () => {
    const peers = await open(IDLE, () => undefined)
    await expectPlay()
    const { nowMb } = await memoryOf(stage.node.pid)
    report('connections that say nothing', { opened: peers.length, 'MB now': nowMb })
    expect(peers.length).toBe(IDLE)
    await expectEnd(peers)
  })

  test('while one address opens more connections than it may have', async () => {
    const { ofAddress } = CONCURRENCY.connections
    const beyond = 100
    const peers = await open(
      ofAddress + beyond,
      () => undefined,
      () => '127.0.3.1',
    )
    const closed = () => peers.filter(({ isOpen }) => !isOpen).length
    await vi.waitUntil(() => closed() >= beyond, { timeout: LATE_MS })
    await expectPlay()
    for (const peer of peers) peer.leave()
    await expectEnd(peers)
  })

  test.each([
    ['headers', 'GET /api/session HTTP/1.1\r\nhost: x\r\n', 'x: y\r\n'],
    ['bodies', `${POST}content-length: 8000\r\n\r\n`, '{'],
    ['chunks', `${POST}transfer-encoding: chunked\r\n\r\n`, '1\r\n \r\n'],
  ])(`while ${SLOW} peers send %s drop by drop`, async (_, head, drop) => {
    const peers = await open(SLOW, peer => peer.say(head))
    const drip = setInterval(() => {
      for (const peer of peers) peer.say(drop)
    }, 250)
    try {
      await expectPlay()
      await expectEnd(peers)
    } finally {
      clearInterval(drip)
    }
  })

  test(`while ${SLOW} peers stop in the midst of a request, or go`, async () => {
    const half = `${POST}content-length: 100\r\n\r\n{"user`
    const peers = await open(SLOW, peer => {
      peer.say(half.slice(0, random.whole(1, half.length)))
      const chance = random.next()
      if (chance < 0.3) peer.finish()
      else if (chance < 0.6) peer.leave()
    })
    await expectPlay()
    await expectEnd(peers)
  })

  test(`while ${DEAF} peers ask for much and take nothing`, async () => {
    const much = 'GET /api/docs/static/swagger-ui-bundle.js HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(20)
    const peers = await open(DEAF, peer => {
      peer.ignore()
      peer.say(much)
    })
    await expectPlay()
    await expectEnd(peers, STANDSTILL_MS)
  })

  test(`after a restart to which ${VIEWERS} viewers come back at once`, async () => {
    const before = await open(VIEWERS, peer => peer.say(LIVE))
    const watching = () => before.every(({ heard }) => heard.includes('event: prize_pool'))
    await vi.waitUntil(watching, { timeout: BACK_MS })
    const { port } = new URL(stage.node.url)
    await stage.node.end('SIGTERM')
    await vi.waitUntil(() => before.every(({ isOpen }) => !isOpen), { timeout: LATE_MS })
    const starting = ServerNode.start({ ...stage.settings(), PORT: port })
    const url = stage.node.url
    const back = await Promise.all(before.map((_, n) => comeBack(url, hostile(n))))
    stage.node = await starting
    await expectPlay()
    const { mostMb } = await memoryOf(stage.node.pid)
    report('viewers after a restart', { back: back.length, 'most MB': mostMb })
    for (const peer of back) peer.leave()
    await expectEnd(back)
  })
})

/** A viewer who tries until the stream is there, as the page does. */
async function comeBack(url: string, from: string): Promise<Peer> {
  const deadline = performance.now() + BACK_MS
  for (let failures = 1; performance.now() < deadline; failures += 1) {
    await sleep(Math.min(15_000, 500 * 2 ** (failures - 1)) * (0.5 + random.next() / 2))
    const peer = await Peer.open(url, from).catch(() => null)
    peer?.say(LIVE)
    const [status] = (await peer?.answers(1, LATE_MS)) ?? []
    if (peer && status === 200) return peer
    peer?.leave()
    // A stream may be refused until the server listens to its database.
    if (status !== undefined) expect(status).toBe(503)
  }
  throw new Error('A viewer did not get back')
}

afterAll(async () => {
  const figures = await expectNothingLost(crowd, watch, stage.auditor)
  const { nowMb, mostMb } = await memoryOf(stage.node.pid)
  const answered = Array.from(statuses, ([status, count]) => [`answered ${status}`, count])
  report('hostile traffic', {
    ...figures,
    ...Object.fromEntries(answered),
    'MB now': nowMb,
    'most MB': mostMb,
  })
})

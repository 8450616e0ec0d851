import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LIVE_PING_MS } from '../../contract/live.ts'
import { ageOf } from '../net/server-clock.ts'
import { ATTEMPT } from '../testing/game.ts'
import { POLL_EVERY_MS } from './boards-reader.ts'
import { OWN_ATTEMPT_MS, POLL_WITHOUT_PLACE_MS, watchLive } from './live.ts'
import { OWN_SILENCE_MS } from './live-stream.ts'

/** The streams that the page has opened, oldest first. */
const streams: Stream[] = []

class Stream extends EventTarget {
  isClosed = false
  constructor() {
    super()
    streams.push(this)
  }
  close() {
    this.isClosed = true
  }
  send(name: string, data: unknown) {
    const text = typeof data === 'string' ? data : JSON.stringify(data)
    this.dispatchEvent(Object.assign(new Event(name), { data: text }))
  }
}

const PING = { now: '2026-01-01T00:00:00.000Z' }
const poolOf = (taps: number) => ({ taps, last_win: null })
const TODAY = { day: '2026-01-01', today: [] }
const feedOf = (...ids: number[]) => ({ attempts: ids.map(id => ({ ...ATTEMPT, id })) })

/** The server's boards, and the URLs that the page has read. */
let boards: Record<string, object>
let reads: string[]
let page: EventTarget & { hidden: boolean }

beforeEach(() => {
  vi.useFakeTimers()
  streams.length = 0
  boards = {
    '/api/prize-pool': poolOf(1),
    '/api/leaderboard': { leaderboard: [] },
    '/api/attempts': feedOf(1),
    '/api/today': TODAY,
  }
  reads = []
  page = Object.assign(new EventTarget(), { hidden: false })
  vi.stubGlobal('document', page)
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('EventSource', Stream)
  vi.stubGlobal('fetch', async (url: string) => {
    reads.push(url)
    const body = boards[url] as { status?: number }
    return Response.json(body, { status: body.status ?? 200 })
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function newest(): Stream {
  const stream = streams.at(-1)
  if (stream === undefined) throw new Error('No stream was opened')
  return stream
}

function open(isPart = false) {
  const live = watchLive({ isPart: () => isPart })
  return { live, status: () => live.get().status, parts: () => live.get().parts }
}

function setHidden(hidden: boolean): void {
  page.hidden = hidden
  page.dispatchEvent(new Event('visibilitychange'))
}

test('the page is live and polls no more from the first event of the game', async () => {
  const { status, parts } = open()
  newest().send('open', '')
  expect(status()).toBe('reconnecting')
  newest().send('prize_pool', poolOf(7))
  expect(status()).toBe('live')
  expect(parts().prize_pool).toEqual(poolOf(7))
  await vi.advanceTimersByTimeAsync(30_000)
  expect(reads).toEqual([])
})

test('the page polls every 5 s until a stream delivers, and drops the answers to an earlier poll', async () => {
  const { status, parts } = open()
  await vi.advanceTimersByTimeAsync(POLL_EVERY_MS)
  expect(parts()).toEqual({
    prize_pool: poolOf(1),
    leaderboard: { leaderboard: [] },
    attempts: feedOf(1),
    today: TODAY,
  })
  expect(status()).toBe('reconnecting')
  vi.advanceTimersByTime(POLL_EVERY_MS)
  newest().send('prize_pool', poolOf(7))
  await vi.advanceTimersByTimeAsync(30_000)
  expect(reads).toHaveLength(8)
  expect(parts().prize_pool).toEqual(poolOf(7))
})

test('a stream is kept as long as pings arrive, which also set the clock of a wall display', async () => {
  const { status } = open()
  for (let ping = 0; ping < 10; ping += 1) {
    newest().send('ping', PING)
    expect(ageOf('2025-12-31T23:59:00.000Z')).toBe(60_000)
    await vi.advanceTimersByTimeAsync(LIVE_PING_MS)
  }
  expect(streams).toHaveLength(1)
  expect(status()).toBe('live')
})

test.each([
  ['nothing', null, ''],
  ['text of a stranger', 'message', 'still here'],
  ['an unreadable event', 'prize_pool', '<h1>Proxy</h1>'],
  ['the data of another program', 'attempts', { data: [] }],
  ['a ping without data', 'ping', ''],
])('a stream that brings %s for 45 s is replaced, and the page polls', async (_, name, data) => {
  const { status, parts } = open()
  newest().send('prize_pool', poolOf(7))
  const [stream] = streams
  for (let second = 0; second < 45; second += 5) {
    if (second < 30) expect(status()).toBe('live')
    if (name !== null) stream?.send(name, data)
    await vi.advanceTimersByTimeAsync(5_000)
  }
  expect(status()).toBe('reconnecting')
  expect(stream?.isClosed).toBe(true)
  await vi.advanceTimersByTimeAsync(POLL_EVERY_MS)
  expect(streams).toHaveLength(2)
  expect(parts().prize_pool).toEqual(poolOf(1))
})

test('the pauses before new streams grow up to a minute, until an event has arrived', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(1)
  open()
  for (const seconds of [0.5, 1, 2, 4, 8, 16, 32, 60, 60]) {
    const opened = streams.length
    // A stream that opens and closes is no success.
    newest().send('open', '')
    newest().send('error', '')
    await vi.advanceTimersByTimeAsync(seconds * 1_000 - 1)
    expect(streams).toHaveLength(opened)
    await vi.advanceTimersByTimeAsync(1)
    expect(streams).toHaveLength(opened + 1)
  }
  newest().send('ping', PING)
  newest().send('error', '')
  const opened = streams.length
  await vi.advanceTimersByTimeAsync(500)
  expect(streams).toHaveLength(opened + 1)
})

test('a hidden page has no stream and does not poll; shown again, it is live from the next event', async () => {
  const { status } = open()
  setHidden(true)
  expect(newest().isClosed).toBe(true)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(reads).toEqual([])
  expect(streams).toHaveLength(1)
  setHidden(false)
  expect(status()).toBe('reconnecting')
  newest().send('ping', PING)
  expect(status()).toBe('live')
})

test("the page reads the boards when no event has brought the player's own attempt", async () => {
  const { live, parts } = open()
  newest().send('attempts', feedOf(4, 3))
  live.recorded({ id: 5 })
  boards['/api/attempts'] = feedOf(5, 4, 3)
  boards['/api/prize-pool'] = poolOf(5)
  await vi.advanceTimersByTimeAsync(OWN_ATTEMPT_MS)
  expect(parts()).toMatchObject({ prize_pool: poolOf(5), attempts: feedOf(5, 4, 3) })
})

test.each([
  ['the own attempt', feedOf(6, 5, 4)],
  ['only newer attempts', feedOf(10, 9, 8)],
])('the page reads nothing when the stream has brought %s', async (_, feed) => {
  const { live } = open()
  live.recorded({ id: 5 })
  newest().send('attempts', feed)
  await vi.advanceTimersByTimeAsync(2 * OWN_ATTEMPT_MS)
  expect(reads).toEqual([])
})

test.each([
  ['none since the own attempt was sent', (send: () => void) => send(), true],
  ['one before the own attempt was sent', (send: () => void) => [newest().send('ping', PING), send()], true],
  ['one before the answer', (send: () => void) => [send(), newest().send('ping', PING)], false],
])(
  'with %s, 5 s without an event after the answer tell whether a stream is dead',
  async (_, before, isDead) => {
    const { live, status } = open()
    newest().send('prize_pool', poolOf(7))
    before(live.sending)
    live.recorded({ id: 5 })
    await vi.advanceTimersByTimeAsync(OWN_SILENCE_MS - 1)
    expect(status()).toBe('live')
    await vi.advanceTimersByTimeAsync(1)
    expect([status(), newest().isClosed]).toEqual(isDead ? ['reconnecting', true] : ['live', false])
  },
)

test('a stream that brings an event within 5 s of the answer, and one that was opened after Stop, are alive', async () => {
  const { live, status } = open()
  newest().send('prize_pool', poolOf(7))
  live.sending()
  live.recorded({ id: 5 })
  await vi.advanceTimersByTimeAsync(OWN_SILENCE_MS - 1)
  newest().send('attempts', feedOf(5))
  live.sending()
  setHidden(true)
  setHidden(false)
  newest().send('ping', PING)
  live.recorded({ id: 6 })
  await vi.advanceTimersByTimeAsync(2 * OWN_SILENCE_MS)
  expect([status(), newest().isClosed]).toEqual(['live', false])
})

/** Locks of a browser whose other tabs hold this many of the four places. */
function locksWith(held: number) {
  const taken = new Set(['taps-stream-1', 'taps-stream-2', 'taps-stream-3', 'taps-stream-4'].slice(0, held))
  const locks = {
    async request(name: string, _options: object, hold: (lock: object | null) => Promise<void> | undefined) {
      if (taken.has(name)) return hold(null)
      taken.add(name)
      await hold({ name })
      taken.delete(name)
    },
  }
  vi.stubGlobal('navigator', { onLine: true, locks })
  return taken
}

test('a page without a place reads every 2 s and is live while reads succeed, and streams once a place is free', async () => {
  const taken = locksWith(4)
  const { status, parts } = open()
  expect(status()).toBe('reconnecting')
  await vi.advanceTimersByTimeAsync(0)
  expect([status(), parts().prize_pool, streams.length]).toEqual(['live', poolOf(1), 0])
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  await vi.advanceTimersByTimeAsync(POLL_WITHOUT_PLACE_MS)
  expect(status()).toBe('reconnecting')
  taken.delete('taps-stream-3')
  await vi.advanceTimersByTimeAsync(POLL_WITHOUT_PLACE_MS)
  expect(streams).toHaveLength(1)
  newest().send('ping', PING)
  expect(status()).toBe('live')
})

test('a page whose node knows no list of today is live without it', async () => {
  locksWith(4)
  boards['/api/today'] = { status: 404, code: 'not_found', title: 'Not found' }
  const { status, parts } = open()
  await vi.advanceTimersByTimeAsync(0)
  expect([status(), parts().prize_pool, parts().today]).toEqual(['live', poolOf(1), null])
})

test.each([
  ['is hidden', () => setHidden(true)],
  ['goes into the back/forward cache', () => void page.dispatchEvent(new Event('pagehide'))],
  ['loses its stream', () => newest().send('error', '')],
])('a page gives its place back when it %s', async (_, leave) => {
  const taken = locksWith(3)
  open()
  await vi.advanceTimersByTimeAsync(0)
  expect([streams.length, taken.size]).toEqual([1, 4])
  leave()
  await vi.advanceTimersByTimeAsync(0)
  expect(taken.size).toBe(3)
  expect(newest().isClosed).toBe(true)
})

test('a page that is hidden while it waits for a place opens no stream', async () => {
  const taken = locksWith(0)
  open()
  setHidden(true)
  await vi.advanceTimersByTimeAsync(60_000)
  expect([streams.length, taken.size, reads.length]).toEqual([0, 0, 0])
})

test.each([
  ['are missing', { onLine: true }],
  [
    'are refused',
    { onLine: true, locks: { request: () => Promise.reject(new DOMException('', 'SecurityError')) } },
  ],
])('where locks %s, a part of a board reads every 2 s, and other pages stream', async (_, browser) => {
  vi.stubGlobal('navigator', browser)
  const part = open(true)
  await vi.advanceTimersByTimeAsync(POLL_WITHOUT_PLACE_MS)
  expect([part.status(), reads.length, streams.length]).toEqual(['live', 8, 0])
  open()
  await vi.advanceTimersByTimeAsync(0)
  expect(streams).toHaveLength(1)
})

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LIVE_PING_MS, type LivePart } from '../../contract/live.ts'
import { ageOf } from '../net/server-clock.ts'
import { ATTEMPT } from '../testing/game.ts'
import { POLL_EVERY_MS } from './boards-reader.ts'
import { OWN_ATTEMPT_MS, PART_EVERY_MS, watchLive } from './live.ts'
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

function open(parts: readonly LivePart[] | null = null) {
  const live = watchLive({ partsToRead: () => parts })
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

test('an overlay reads its own parts every 2 s without a stream, and is live while its reads succeed', async () => {
  const { status, parts } = open(['leaderboard'])
  expect(status()).toBe('reconnecting')
  await vi.advanceTimersByTimeAsync(0)
  expect([status(), parts().leaderboard, parts().attempts]).toEqual(['live', { leaderboard: [] }, null])
  await vi.advanceTimersByTimeAsync(2 * PART_EVERY_MS)
  expect(reads).toEqual(['/api/leaderboard', '/api/leaderboard', '/api/leaderboard'])
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  await vi.advanceTimersByTimeAsync(PART_EVERY_MS)
  expect([status(), streams]).toEqual(['reconnecting', []])
})

test('an overlay that is hidden reads nothing, one that becomes the whole board streams, and the board that becomes an overlay reads', async () => {
  const overlay: { parts: readonly LivePart[] | null } = { parts: ['attempts'] }
  watchLive({ partsToRead: () => overlay.parts })
  setHidden(true)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(reads).toHaveLength(1)
  setHidden(false)
  overlay.parts = null
  await vi.advanceTimersByTimeAsync(PART_EVERY_MS)
  expect(streams).toHaveLength(1)
  page.dispatchEvent(new Event('hashchange'))
  expect(newest().isClosed).toBe(false)
  const before = reads.length
  overlay.parts = ['attempts']
  page.dispatchEvent(new Event('hashchange'))
  expect(newest().isClosed).toBe(true)
  expect(reads.slice(before)).toEqual(['/api/attempts'])
})

test('a page that goes into the back/forward cache closes its stream', () => {
  open()
  page.dispatchEvent(new Event('pagehide'))
  expect(newest().isClosed).toBe(true)
})

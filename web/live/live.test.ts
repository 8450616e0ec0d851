import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { serverNow } from '../net/server-clock.ts'
import { ATTEMPT } from '../testing/game.ts'
import { OWN_ATTEMPT_MS, POLL_EVERY_MS, watchLive } from './live.ts'

const SILENT_MS = 45_000

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
  }
  reads = []
  page = Object.assign(new EventTarget(), { hidden: false })
  vi.stubGlobal('document', page)
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('EventSource', Stream)
  vi.stubGlobal('fetch', async (url: string) => {
    reads.push(url)
    return Response.json(boards[url])
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

function open() {
  const live = watchLive()
  return { live, status: () => live.get().status, parts: () => live.get().parts }
}

function setHidden(hidden: boolean): void {
  page.hidden = hidden
  page.dispatchEvent(new Event('visibilitychange'))
}

test('the page is live from the first event of the game, and polls no more', async () => {
  const { status, parts } = open()
  newest().send('open', '')
  expect(status()).toBe('reconnecting')
  newest().send('prize_pool', poolOf(7))
  expect(status()).toBe('live')
  expect(parts().prize_pool).toEqual(poolOf(7))
  await vi.advanceTimersByTimeAsync(30_000)
  expect(reads).toEqual([])
})

test('the page polls every 5 s until a stream delivers', async () => {
  const { status, parts } = open()
  await vi.advanceTimersByTimeAsync(POLL_EVERY_MS)
  expect(parts()).toEqual({ prize_pool: poolOf(1), leaderboard: { leaderboard: [] }, attempts: feedOf(1) })
  expect(status()).toBe('reconnecting')
  await vi.advanceTimersByTimeAsync(POLL_EVERY_MS)
  expect(reads).toHaveLength(6)
  newest().send('ping', PING)
  expect(status()).toBe('live')
  await vi.advanceTimersByTimeAsync(30_000)
  expect(reads).toHaveLength(6)
})

test('an answer to a poll is dropped when the stream has delivered meanwhile', async () => {
  const { parts } = open()
  vi.advanceTimersByTime(POLL_EVERY_MS)
  newest().send('prize_pool', poolOf(7))
  await vi.advanceTimersByTimeAsync(0)
  expect(parts().prize_pool).toEqual(poolOf(7))
})

test('a ping sets the clock of wall displays, which read nothing else', () => {
  open()
  newest().send('ping', PING)
  expect(new Date(serverNow()).toISOString()).toBe(PING.now)
})

describe('a silent stream', () => {
  test('is replaced after 25 to 45 s; the page says so and reads the boards immediately', async () => {
    const { status, parts } = open()
    newest().send('prize_pool', poolOf(7))
    await vi.advanceTimersByTimeAsync(25_000)
    expect(status()).toBe('live')
    await vi.advanceTimersByTimeAsync(20_000)
    expect(status()).toBe('reconnecting')
    expect(streams[0]?.isClosed).toBe(true)
    expect(parts().prize_pool, 'never more than 60 s old').toEqual(poolOf(1))
    await vi.advanceTimersByTimeAsync(1_000)
    expect(streams).toHaveLength(2)
  })

  test('is kept as long as pings arrive', async () => {
    const { status } = open()
    for (let second = 0; second < 200; second += 20) {
      newest().send('ping', PING)
      await vi.advanceTimersByTimeAsync(20_000)
    }
    expect(streams).toHaveLength(1)
    expect(status()).toBe('live')
  })

  test.each([
    ['text of a stranger', 'message', 'still here'],
    ['an unreadable event', 'prize_pool', '<h1>Proxy</h1>'],
    ['the data of another program', 'attempts', { data: [] }],
    ['a ping without data', 'ping', ''],
  ])('does not live on %s', async (_, name, data) => {
    const { status, parts } = open()
    newest().send('prize_pool', poolOf(7))
    const [stream] = streams
    for (let second = 0; second < 45; second += 5) {
      stream?.send(name, data)
      await vi.advanceTimersByTimeAsync(5_000)
    }
    expect(status()).toBe('reconnecting')
    expect(stream?.isClosed).toBe(true)
    expect(parts().attempts).toEqual(feedOf(1))
  })
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
  newest().send('prize_pool', poolOf(7))
  setHidden(true)
  expect(newest().isClosed).toBe(true)
  await vi.advanceTimersByTimeAsync(SILENT_MS)
  expect(reads).toEqual([])
  expect(streams).toHaveLength(1)
  setHidden(false)
  expect(status()).toBe('reconnecting')
  newest().send('ping', PING)
  expect(status()).toBe('live')
})

describe("after the player's own attempt", () => {
  test('the page reads pool and feed when no event has brought the attempt', async () => {
    const { live, parts } = open()
    newest().send('attempts', feedOf(4, 3))
    live.recorded({ id: 5 })
    boards['/api/attempts'] = feedOf(5, 4, 3)
    boards['/api/prize-pool'] = poolOf(5)
    await vi.advanceTimersByTimeAsync(OWN_ATTEMPT_MS)
    expect(reads).toEqual(['/api/prize-pool', '/api/attempts'])
    expect(parts()).toMatchObject({ prize_pool: poolOf(5), attempts: feedOf(5, 4, 3) })
  })

  test.each([
    ['the attempt', feedOf(6, 5, 4)],
    ['only newer attempts', feedOf(10, 9, 8)],
  ])('the page reads nothing when the stream has brought %s', async (_, feed) => {
    const { live } = open()
    live.recorded({ id: 5 })
    newest().send('attempts', feed)
    await vi.advanceTimersByTimeAsync(2 * OWN_ATTEMPT_MS)
    expect(reads).toEqual([])
  })

  test('an answer to an earlier poll does not hide the attempt', async () => {
    const { live, parts } = open()
    const answers: (() => void)[] = []
    vi.stubGlobal('fetch', (url: string) => {
      const body = boards[url]
      return new Promise<Response>(resolve => answers.push(() => resolve(Response.json(body))))
    })
    await vi.advanceTimersByTimeAsync(POLL_EVERY_MS - OWN_ATTEMPT_MS / 2)
    live.recorded({ id: 5 })
    await vi.advanceTimersByTimeAsync(OWN_ATTEMPT_MS / 2)
    boards['/api/attempts'] = feedOf(5, 1)
    await vi.advanceTimersByTimeAsync(OWN_ATTEMPT_MS / 2)
    for (const answer of answers.toReversed()) {
      answer()
      await vi.advanceTimersByTimeAsync(0)
    }
    expect(answers).toHaveLength(5)
    expect(parts().attempts).toEqual(feedOf(5, 1))
  })
})

import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { LIVE_PARTS, LIVE_PING_MS } from '../../contract/live.ts'
import type { TestGame } from '../../tests/support/game.ts'
import { until } from '../../tests/support/until.ts'
import { Viewer } from '../../tests/support/viewer.ts'
import { openWorld } from '../../tests/support/world.ts'
import { Broadcast } from './broadcast.ts'
import { DatabasePoller } from './poller.ts'

const world = openWorld()
const PATHS = {
  prize_pool: '/api/prize-pool',
  leaderboard: '/api/leaderboard',
  attempts: '/api/attempts',
  today: '/api/today',
} as const

/** Opens a viewer and waits until it has received all parts. */
async function viewer(node: TestGame = world.game): Promise<Viewer> {
  const opened = await Viewer.open(node.url)
  onTestFinished(() => opened.close())
  await until('all parts', () => LIVE_PARTS.every(part => opened.latest(part)))
  return opened
}

/** Plays a miss. Returns the attempt's ID. */
async function play(node: TestGame = world.game): Promise<number> {
  const guest = world.newcomer(node)
  const { body } = await guest.play(500)
  return body.attempt.id
}

/** Records a miss by SQL, without changing a counter. */
async function record(username: string): Promise<void> {
  await world.sql(
    `with played as (
      insert into attempts (player, round, username, target_time, actual_time, difference)
      values (gen_random_uuid(), 1, $1, 1, 2, 1)
    )
    update prize_pool set taps = taps + 1`,
    [username],
  )
}

/** Waits until this attempt is the first in the viewer's list. */
function sees(watcher: Viewer, attempt: number): Promise<unknown> {
  return until('the attempt', () => watcher.latest('attempts')?.attempts[0]?.id === attempt)
}

/** Waits until the viewer's parts equal the bodies of the GET endpoints. */
async function isCurrent(watcher: Viewer): Promise<void> {
  const client = world.newcomer()
  for (const part of LIVE_PARTS) {
    const { body } = await client.get(PATHS[part])
    await expect.poll(() => watcher.latest(part), { message: part }).toEqual(body)
  }
}

/** Serves requests with `serve` at a port of its own. Returns the port. */
async function openServer(serve: (response: ServerResponse) => void): Promise<number> {
  const server = createServer((_, response) => serve(response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

describe('a viewer', () => {
  test('gets all events on connecting, each with the body of its GET endpoint', async () => {
    await play()
    const watcher = await viewer()
    await isCurrent(watcher)
    expect(watcher.response.status).toBe(200)
    expect(watcher.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(watcher.response.headers.get('cache-control')).toContain('no-transform')
    const another = await viewer()
    expect(another.events.map(({ part }) => part).sort()).toEqual([...LIVE_PARTS].sort())
    expect(another.arrivals).toHaveLength(1)
  })

  test('gets an event only for the parts that have changed', async () => {
    const watcher = await viewer()
    await isCurrent(watcher)
    const counts = LIVE_PARTS.map(part => watcher.count(part))
    const before = watcher.latest('prize_pool')?.taps ?? Number.NaN
    await sees(watcher, await play())
    expect(watcher.latest('prize_pool')).toMatchObject({ taps: before + 1 })
    const changed = ['prize_pool', 'attempts']
    const expected = LIVE_PARTS.map((part, i) => (counts[i] ?? 0) + (changed.includes(part) ? 1 : 0))
    expect(LIVE_PARTS.map(part => watcher.count(part))).toEqual(expected)
  })

  test('gets a ping with the server time on connecting and every 20 s, even between events', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const node = await world.addNode()
    const watcher = await viewer(node)
    await sees(watcher, await play(node))
    const ping = { now: expect.stringMatching(/^\d{4}-.*Z$/) }
    expect(watcher.pings).toEqual([ping])
    vi.advanceTimersByTime(LIVE_PING_MS)
    await sees(watcher, await play(node))
    expect(watcher.pings).toEqual([ping, ping])
    await node.close()
  })
})

describe('the live stream reads', () => {
  /** Opens a live stream with this many viewers. Only the test reports changes to the stream. */
  async function openLive(viewers: number) {
    const { app, server } = world.game
    const poller = new DatabasePoller(world.database.connection, app.readiness, server.log)
    // Closed, because its polls would have the live stream read changes that the test has not reported.
    await poller.close()
    const live = new Broadcast(world.pool, poller, server.log, name => name)
    let boards = 0
    await live.open()
    onTestFinished(() => live.close())
    const url = `http://127.0.0.1:${await openServer(response => live.add(response, {}))}`
    const watchers = await Promise.all(Array.from({ length: viewers }, () => Viewer.open(url)))
    const query = vi.spyOn(world.pool, 'query')
    const readsOf = (part: string) =>
      query.mock.calls.filter(([statement]: unknown[]) => nameOf(statement) === part).length
    const see = (username: string) =>
      until(username, () => watchers.every(one => one.latest('attempts')?.attempts[0]?.username === username))
    const poll = (attempts = 0) => poller.emit('polled', { attempts, boards })
    const changed = () => {
      boards += 1
      poll()
    }
    /** Waits until the reads in progress have ended. */
    const read = async () => {
      await Promise.all(query.mock.results.map(({ value }) => value))
      await turn()
    }
    return { poll, changed, see, read, readsOf }
  }

  /** Returns the name of a prepared statement. */
  const nameOf = (statement: unknown) =>
    typeof statement === 'object' && statement !== null && 'name' in statement ? statement.name : null

  test('each part once per change, however many viewers there are', async () => {
    const { changed, see, readsOf } = await openLive(50)
    const changes = ['First change', 'Second change', 'Third change']
    for (const change of changes) {
      await record(change)
      changed()
      await see(change)
    }
    expect(['prize_pool', 'leaderboard', 'recent_attempts', 'today'].map(readsOf)).toEqual([3, 3, 3, 3])
  })

  test('again after a read has failed', async () => {
    const { changed, poll, see } = await openLive(1)
    const warn = vi.spyOn(world.game.server.log, 'warn')
    await world.sql('alter table users rename column taps_balance to missing')
    try {
      await record('By Hand')
      changed()
      await until('the failed read', () =>
        warn.mock.calls.some(([, message]) => message === 'live data could not be read'),
      )
    } finally {
      await world.sql('alter table users rename column missing to taps_balance')
    }
    // Reports the same counters again.
    poll()
    await see('By Hand')
  })

  /** Sets the clock forward for a poll that finds the counters unchanged. */
  const pollLater = (poll: () => void, ms: number) => {
    const now = performance.now()
    const clock = vi.spyOn(performance, 'now').mockReturnValue(now + ms)
    poll()
    clock.mockRestore()
  }

  test.each<[string, (poll: (attempts?: number) => void) => void]>([
    ['after 1.5 s, even when no counter has changed', poll => pollLater(poll, 1_500)],
    ['when the counter of attempts decreases, as after a restore', poll => poll(-1)],
  ])('again %s', async (condition, act) => {
    const { changed, poll, see } = await openLive(1)
    await record('Counted')
    changed()
    await see('Counted')
    await record(condition.slice(0, 20))
    act(poll)
    await see(condition.slice(0, 20))
  })

  test('nothing again for changes that no counter counts while there is no viewer', async () => {
    const { poll, read, readsOf } = await openLive(0)
    const intervals = vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    poll()
    await read()
    // From now on, a read would begin immediately.
    await intervals.advanceTimersByTimeAsync(1_000)
    pollLater(poll, 3_600_000)
    expect(readsOf('recent_attempts')).toBe(1)
  })

  test('at most three times during a flood of changes, including the last change', async () => {
    const { changed, see, readsOf } = await openLive(1)
    changed()
    await record('The last of the flood')
    for (let notice = 0; notice < 100; notice += 1) changed()
    await see('The last of the flood')
    // Reads once for the first change, and at most twice for the flood: immediately and at the next tick.
    expect(readsOf('recent_attempts')).toBeLessThanOrEqual(3)
  })
})

test.each<[string, bytes: number, (node: TestGame) => unknown]>([
  ['more than 64 KB are unsent', 64 * 1_024 + 1, node => play(node)],
  ['the database becomes unavailable', 16_000, ({ app }) => app.poller.emit('unavailable')],
])('ends the stream of a viewer whose network has stalled when %s', async (_, bytes, act) => {
  const node = await world.addNode()
  const responses: ServerResponse[] = []
  const port = await openServer(response => {
    responses.push(response)
    node.app.broadcast.add(response, {})
  })
  const client = connect(port, '127.0.0.1').pause()
  onTestFinished(() => void client.destroy())
  client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  const response = await until('the request', () => responses[0])
  while (response.writableLength < bytes) {
    response.write(`:${'x'.repeat(8_000)}\n\n`)
    await turn()
  }
  await act(node)
  await until('the end of the stream', () => response.destroyed)
  const watcher = await viewer(node)
  await sees(watcher, await play(node))
})

test('reads for a first viewer, and ends the streams when the database becomes unavailable or the server closes', async () => {
  const node = await world.addNode()
  const { poller } = node.app
  const requestPoll = vi.spyOn(poller, 'requestPoll')
  const earlier = await viewer(node)
  expect(poller.isWatched()).toBe(true)
  expect(requestPoll, 'the first viewer has the boards read').toHaveBeenCalledOnce()
  poller.emit('unavailable')
  await earlier.ended
  await until('no viewer', () => !poller.isWatched())
  const watchers = await Promise.all([viewer(node), viewer(node), viewer(node)])
  node.app.broadcast.close()
  expect((await world.newcomer(node).get('/api/live')).status, 'while closing').toBe(503)
  await node.close()
  await Promise.all(watchers.map(({ ended }) => ended))
})

import { once } from 'node:events'
import { expect, onTestFinished, test, vi } from 'vitest'
import { DatabaseRelay } from '../../tests/support/relay.ts'
import { until } from '../../tests/support/until.ts'
import { openWorld } from '../../tests/support/world.ts'
import type { Connection } from '../database/connection.ts'
import { type Counters, DatabasePoller } from './poller.ts'
import { Readiness } from './readiness.ts'

const world = openWorld()

/** Opens a poller. `polls` collects the counters that each poll has read. */
async function open(connection: Connection = world.database.connection) {
  const log = { warn: vi.fn(), info: vi.fn() }
  const readiness = new Readiness(world.pool)
  const poller = new DatabasePoller(connection, readiness, log as never)
  const polls: Counters[] = []
  poller.on('polled', counters => polls.push(counters))
  onTestFinished(() => poller.close())
  await poller.open()
  return { poller, polls, log }
}

test('polls every second without reporting an outage, and every 100 ms with a viewer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: false })
  onTestFinished(() => void vi.useRealTimers())
  const { poller } = await open()
  const pollWithin = async (ms: number) => {
    const polled = once(poller, 'polled')
    await vi.advanceTimersByTimeAsync(ms)
    await polled
  }
  const unavailable = vi.fn()
  poller.on('unavailable', unavailable)
  // A silent database is unavailable after 5 s, so 6 s are long enough.
  for (let second = 0; second < 6; second += 1) await pollWithin(1_000)
  expect(unavailable).not.toHaveBeenCalled()
  poller.isWatched = () => true
  poller.requestPoll()
  for (let poll = 0; poll < 3; poll += 1) await pollWithin(100)
})

test('emits both counters of the pool row', async () => {
  await world.sql('update prize_pool set attempts = attempts + 5, boards = boards + 7')
  const { polls } = await open()
  expect(polls.slice(0, 1)).toEqual(await world.sql('select attempts, boards from prize_pool'))
})

test('shares polls among requests', async () => {
  const { poller, polls } = await open()
  const before = polls.length
  for (let request = 0; request < 100; request += 1) poller.requestPoll()
  await until('two polls', () => polls.length > before + 1)
  // Polls at once and after 100 ms; the timer may add a third poll.
  expect(polls.length - before).toBeLessThanOrEqual(3)
})

test('reports a database that hangs, unavailable after 5 s, and continues when it is back', async () => {
  const relay = await DatabaseRelay.open(world.database.connection)
  await relay.repair()
  onTestFinished(() => relay.cut())
  const { poller, polls, log } = await open(relay.connection)
  const [unavailable, recovered] = [vi.fn(), vi.fn()]
  poller.on('unavailable', unavailable).on('recovered', recovered)
  relay.hang()
  const later = performance.now() + 5_001
  const clock = vi.spyOn(performance, 'now').mockReturnValue(later)
  poller.requestPoll()
  await until('the report', () => unavailable.mock.calls.length > 0)
  expect(log.warn).toHaveBeenCalledWith({ err: expect.any(Error) }, 'database poll failed')
  clock.mockRestore()
  relay.resume()
  const before = polls.length
  await until('a poll', () => polls.length > before)
  expect(log.info).toHaveBeenCalledWith('the database is back')
  expect(recovered).toHaveBeenCalledOnce()
})

import { once } from 'node:events'
import { expect, onTestFinished, test, vi } from 'vitest'
import { DatabaseRelay } from '../../tests/support/relay.ts'
import { openWorld } from '../../tests/support/world.ts'
import type { Connection } from '../database/connection.ts'
import { Problem } from '../problem.ts'
import { type Counters, DatabasePoller } from './poller.ts'

const world = openWorld()

function until(condition: () => unknown): Promise<unknown> {
  return vi.waitUntil(condition, { timeout: 60_000, interval: 5 })
}

/** Opens a poller. `polls` collects the counters that each poll has read. */
async function open(connection: Connection = world.database.connection) {
  const log = { warn: vi.fn(), info: vi.fn() }
  const poller = new DatabasePoller(connection, log as never)
  const polls: Counters[] = []
  poller.on('polled', counters => polls.push(counters))
  onTestFinished(() => poller.close())
  await poller.open()
  return { poller, polls, log }
}

test('emits the new counters after an attempt and after another change to the boards', async () => {
  const { poller, polls } = await open()
  // Polls every 100 ms.
  onTestFinished(poller.watch())
  // Waits for a poll, because a poll may fail on a busy machine.
  const before = await vi.waitUntil(() => polls.at(-1), { timeout: 60_000 })
  const polled = (counters: Counters) => expect.poll(() => polls.at(-1)).toEqual(counters)
  const guest = world.newcomer()
  await guest.play(500)
  await polled({ ...before, attempts: before.attempts + 1 })
  await world.newcomer().createAccount('Counted In', 'correct horse battery')
  await polled({ attempts: before.attempts + 1, boards: before.boards + 1 })
})

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
  const unwatch = poller.watch()
  await once(poller, 'polled')
  await pollWithin(100)
  unwatch()
})

test('shares one poll among all calls that arrive during another poll', async () => {
  const { poller, polls } = await open()
  const before = polls.length
  await Promise.all(Array.from({ length: 100 }, () => poller.poll()))
  // These calls need two polls, and the timer may add a third poll.
  expect(polls.length - before).toBeLessThanOrEqual(3)
})

test('logs a database that hangs, and continues when the database is back', async () => {
  const relay = await DatabaseRelay.open(world.database.connection)
  await relay.repair()
  onTestFinished(() => relay.cut())
  const { poller, polls, log } = await open(relay.connection)
  relay.hang()
  await expect(poller.poll()).rejects.toThrow()
  expect(log.warn).toHaveBeenCalledWith({ err: expect.any(Error) }, expect.any(String))
  relay.resume()
  const before = polls.length
  await until(() => polls.length > before)
  expect(log.info).toHaveBeenCalledWith('the database is back')
})

test('emits `unavailable` at a failed poll after 5 s without an answer', async () => {
  const relay = await DatabaseRelay.open(world.database.connection)
  await relay.repair()
  const { poller } = await open(relay.connection)
  const unavailable = vi.fn()
  poller.on('unavailable', unavailable)
  await relay.cut()
  const later = performance.now() + 5_001
  vi.spyOn(performance, 'now').mockReturnValue(later)
  await expect(poller.poll()).rejects.toThrow()
  expect(unavailable).toHaveBeenCalled()
})

test('continues after a poll that could not begin', async () => {
  const { poller, polls } = await open()
  onTestFinished(poller.watch())
  const polled = vi.spyOn(poller, 'poll').mockRejectedValueOnce(new Problem('unavailable'))
  await until(() => polled.mock.calls.length > 0)
  const before = polls.length
  await until(() => polls.length > before)
})

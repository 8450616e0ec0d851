import { once } from 'node:events'
import { expect, onTestFinished, test, vi } from 'vitest'
import { DatabaseRelay } from '../../tests/support/relay.ts'
import { openWorld } from '../../tests/support/world.ts'
import { Problem } from '../problem.ts'
import { type Counters, Heartbeat } from './database-poller.ts'
import type { Connection } from '../database/pool.ts'

const world = openWorld()

function until(condition: () => unknown): Promise<unknown> {
  return vi.waitUntil(condition, { timeout: 60_000, interval: 5 })
}

/** A heartbeat that has begun, and every beat of it. */
async function open(connection: Connection = world.database.connection) {
  const log = { warn: vi.fn(), info: vi.fn() }
  const heartbeat = new Heartbeat(connection, log as never)
  const beats: Counters[] = []
  heartbeat.on('beat', counters => beats.push(counters))
  onTestFinished(() => heartbeat.close())
  await heartbeat.open()
  return { heartbeat, beats, log }
}

test('tells of each attempt and of each change of the boards, by whichever node', async () => {
  const { heartbeat, beats } = await open()
  const before = beats.at(-1)
  const guest = world.newcomer()
  await guest.play((await guest.session()).round, 500)
  await heartbeat.beat()
  expect(beats.at(-1)).toMatchObject({ attempts: (before?.attempts ?? 0) + 1, boards: before?.boards })
  await world.newcomer().createAccount('Counted In', 'correct horse battery')
  await heartbeat.beat()
  expect(beats.at(-1)).toMatchObject({ boards: (before?.boards ?? 0) + 1 })
})

test('beats by itself, more often while somebody looks, and is not away meanwhile', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: false })
  onTestFinished(() => void vi.useRealTimers())
  const { heartbeat } = await open()
  const beatWithin = async (ms: number) => {
    const beat = once(heartbeat, 'beat')
    await vi.advanceTimersByTimeAsync(ms)
    await beat
  }
  const away = vi.fn()
  heartbeat.on('away', away)
  // Longer than the 5 s of silence.
  for (let second = 0; second < 6; second += 1) await beatWithin(1_000)
  expect(away).not.toHaveBeenCalled()
  const unwatch = heartbeat.watch()
  await once(heartbeat, 'beat')
  await beatWithin(100)
  unwatch()
})

test('reads one at a time: those who ask meanwhile share the next read', async () => {
  const { heartbeat, beats } = await open()
  const before = beats.length
  await Promise.all(Array.from({ length: 100 }, () => heartbeat.beat()))
  // Besides these two the timer may have asked, for one.
  expect(beats.length - before).toBeLessThanOrEqual(3)
})

test('gives up a database that hangs, says so, and goes on when it is back', async () => {
  const relay = await DatabaseRelay.open(world.database.connection)
  await relay.mend()
  onTestFinished(() => relay.cut())
  const { heartbeat, beats, log } = await open(relay.connection)
  relay.hang()
  await expect(heartbeat.beat()).rejects.toThrow()
  await expect(heartbeat.beat()).rejects.toThrow()
  expect(log.warn).toHaveBeenCalledWith({ err: expect.any(Error) }, expect.any(String))
  relay.resume()
  const before = beats.length
  await until(() => beats.length > before)
  expect(log.info).toHaveBeenCalledWith('the database is back')
})

test('tells that the database is away after 5 s without a beat', async () => {
  const relay = await DatabaseRelay.open(world.database.connection)
  await relay.mend()
  const { heartbeat } = await open(relay.connection)
  const away = once(heartbeat, 'away')
  await relay.cut()
  await away
  // The timer's clock may be a millisecond ahead.
  await until(() => heartbeat.outage.isInDoubt(performance.now()))
})

test('goes on after a beat that was given up before it began, as after a stall of the process', async () => {
  const { heartbeat, beats } = await open()
  const beat = vi.spyOn(heartbeat, 'beat').mockRejectedValueOnce(new Problem('unavailable'))
  await until(() => beat.mock.calls.length > 0)
  const before = beats.length
  await until(() => beats.length > before)
})

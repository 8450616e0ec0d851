import { expect, test, vi } from 'vitest'
import { until } from '../../tests/support/until.ts'
import { openWorld } from '../../tests/support/world.ts'
import { Comparison } from './comparison.ts'

const world = openWorld()

/** Plays one round for each difference in ms. */
async function play(differencesMs: readonly number[]): Promise<void> {
  const guest = world.newcomer()
  for (const differenceMs of differencesMs) await guest.play(differenceMs)
}

/** 49 differences from ±201 to ±249 ms. */
const DIFFERENCES = Array.from({ length: 49 }, (_, index) => (index % 2 === 0 ? 201 + index : -201 - index))

test('an attempt is compared with the verified attempts of 10 s ago, once there are 50', async () => {
  const comparison = new Comparison(world.pool, world.game.server.log)
  await play(DIFFERENCES)
  await comparison.refresh()
  expect(comparison.closerThan(0.6)).toBeUndefined()
  await play([600])
  expect(comparison.closerThan(0.6), 'read less than 10 s ago').toBeUndefined()
  vi.spyOn(performance, 'now').mockReturnValueOnce(performance.now() + 10_000)
  comparison.closerThan(0.6)
  await until('a comparison', () => comparison.closerThan(0.6) !== undefined)
  expect([-0.2, 0.21, -0.21, 0.6].map(difference => comparison.closerThan(difference))).toEqual([
    100, 80, 80, 0,
  ])
  await play([700])
  await world.sql("update attempts set reason = 'clock' where difference = 0.7")
  await comparison.refresh()
  expect(comparison.closerThan(0.6), 'an unverified attempt is ignored').toBe(0)
})

test("Stop's answer has the comparison", async () => {
  const node = await world.addNode()
  const guest = world.newcomer(node)
  expect((await guest.play(150)).body.closer_than).toBe(100)
})

import { expect, test } from 'vitest'
import { openWorld } from '../../tests/support/world.ts'
import { Comparison } from './comparison.ts'

const world = openWorld()

/** Plays one round for each difference in ms. */
async function play(differencesMs: readonly number[]): Promise<void> {
  const guest = world.newcomer()
  for (const differenceMs of differencesMs) await guest.play(differenceMs)
}

async function readComparison(): Promise<Comparison> {
  const comparison = new Comparison(world.pool, world.game.server.log)
  await comparison.refresh()
  return comparison
}

/** 49 differences from ±201 to ±249 ms. */
const DIFFERENCES = Array.from({ length: 49 }, (_, index) => (index % 2 === 0 ? 201 + index : -201 - index))

test('an attempt is compared with the verified attempts, once there are 50', async () => {
  await play(DIFFERENCES)
  expect((await readComparison()).closerThan(0.6)).toBeUndefined()
  await play([600])
  const comparison = await readComparison()
  expect(comparison.closerThan(-0.2)).toBe(100)
  expect(comparison.closerThan(0.21)).toBe(80)
  expect(comparison.closerThan(-0.21)).toBe(80)
  expect(comparison.closerThan(0.6)).toBe(0)
  await play([700])
  await world.sql("update attempts set reason = 'clock' where difference = 0.7")
  expect((await readComparison()).closerThan(0.6), 'an unverified attempt is ignored').toBe(0)
})

test("Stop's answer has the comparison", async () => {
  const node = await world.addNode()
  const guest = world.newcomer(node)
  expect((await guest.play(150)).body.closer_than).toBe(100)
})

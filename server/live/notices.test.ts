import { expect, onTestFinished, test, vi } from 'vitest'
import type { LivePart } from '../../contract/live.ts'
import { openWorld } from '../testing/world.ts'
import { Notices } from './notices.ts'

const world = openWorld()

/** One node's ear, with what it has heard since it began to listen. */
async function listener() {
  const notices = new Notices(world.database.connection, world.pool, world.game.app.log)
  await notices.open()
  onTestFinished(() => notices.close())
  const heard: LivePart[][] = []
  notices.subscribe(parts => heard.push([...parts]))
  return { notices, heard }
}

function until(condition: () => boolean): Promise<boolean> {
  return vi.waitUntil(condition, { timeout: 15_000 })
}

test('what one node sends every node hears, the sender included', async () => {
  const [one, other] = [await listener(), await listener()]
  one.notices.send(['prize_pool', 'attempts'])
  await until(() => one.heard.length > 0 && other.heard.length > 0)
  expect(one.heard).toEqual([['prize_pool', 'attempts']])
  expect(other.heard).toEqual([['prize_pool', 'attempts']])
})

test('the first word goes at once, and a flood of more becomes one', async () => {
  const { notices, heard } = await listener()
  notices.send(['attempts'])
  for (let n = 0; n < 100; n += 1) notices.send(['attempts', 'prize_pool'])
  notices.send(['leaderboard'])
  await until(() => heard.length > 1)
  expect(heard).toEqual([['attempts'], ['prize_pool', 'leaderboard', 'attempts']])
})

test('the last word before a close is not lost', async () => {
  const [one, other] = [await listener(), await listener()]
  one.notices.send(['attempts'])
  one.notices.send(['leaderboard'])
  await one.notices.close()
  await until(() => other.heard.flat().includes('leaderboard'))
})

test('who has unsubscribed hears nothing more', async () => {
  const { notices, heard } = await listener()
  let calls = 0
  const unsubscribe = notices.subscribe(() => {
    calls += 1
  })
  unsubscribe()
  notices.send(['attempts'])
  await until(() => heard.length > 0)
  expect(calls).toBe(0)
})

test('words of a newer version are ignored', async () => {
  const { heard } = await listener()
  await world.sql("select pg_notify('taps_live', 'prize_pool,something_new')")
  await until(() => heard.length > 0)
  expect(heard).toEqual([['prize_pool']])
})

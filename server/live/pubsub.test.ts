import { once } from 'node:events'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { LIVE_PARTS, type LivePart } from '../../contract/live.ts'
import { DatabaseRelay } from '../../tests/support/relay.ts'
import { openWorld } from '../../tests/support/world.ts'
import { PubSub } from './pubsub.ts'

const world = openWorld()

/** The pub-sub of one node, which hears its own word no second time, and the changes it was told of since it began to listen. */
async function listener(hearingMs = 60_000) {
  const pubsub = new PubSub(world.database.connection, world.pool, world.game.app.log, hearingMs)
  await pubsub.open()
  onTestFinished(() => pubsub.close())
  const heard: LivePart[][] = []
  pubsub.on('changed', parts => heard.push([...parts]))
  return { pubsub, heard }
}

function until(condition: () => boolean): Promise<boolean> {
  return vi.waitUntil(condition, { timeout: 60_000 })
}

test('what one node publishes reaches every node, the sender included', async () => {
  const [one, other] = [await listener(), await listener()]
  one.pubsub.publish('prize_pool', 'attempts')
  await until(() => one.heard.length > 0 && other.heard.length > 0)
  expect(one.heard).toEqual([['prize_pool', 'attempts']])
  expect(other.heard).toEqual([['prize_pool', 'attempts']])
})

test('the first notice goes at once, and a flood of more becomes one', async () => {
  const { pubsub, heard } = await listener()
  pubsub.publish('attempts')
  for (let n = 0; n < 100; n += 1) pubsub.publish('attempts', 'prize_pool')
  pubsub.publish('leaderboard')
  await until(() => heard.length > 1)
  expect(heard).toEqual([['attempts'], ['prize_pool', 'leaderboard', 'attempts']])
})

test('now and then everything may have changed: the notice of a change may have been lost', async () => {
  const { heard } = await listener(100)
  await until(() => heard.length > 1)
  expect(heard).toEqual(heard.map(() => LIVE_PARTS))
})

describe('a connection that is up and brings nothing', () => {
  const HEARING_MS = 200

  /** A pub-sub that listens by way of a relay and tells by way of the pool. */
  async function deafenable() {
    const relay = await DatabaseRelay.open(world.database.connection)
    await relay.mend()
    onTestFinished(() => relay.cut())
    const pubsub = new PubSub(relay.connection, world.pool, world.game.app.log, HEARING_MS)
    onTestFinished(() => pubsub.close())
    await pubsub.open()
    return { relay, pubsub }
  }

  test('is found out, and what was missed is told once another one hears', async () => {
    const { relay, pubsub } = await deafenable()
    await until(() => pubsub.listening)
    const away = once(pubsub, 'away')
    relay.hang()
    await away
    expect(pubsub.listening).toBe(false)
    relay.resume()
    expect(await once(pubsub, 'changed')).toEqual([LIVE_PARTS])
  })
})

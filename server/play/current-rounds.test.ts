import { expect, test } from 'vitest'
import { rounds as tokens } from '../../tests/support/forgery.ts'
import { openWorld } from '../../tests/support/world.ts'
import { newPlayerId } from '../people/caller.ts'

const world = openWorld()

async function isCurrent(player: string, number: number): Promise<boolean> {
  const time = await world.game.app.play.readStartTime({ playerId: player, number, targetMs: 1_000 })
  return time !== null
}

test("accepts only the round that follows a guest's last attempt, in one read for all players", async () => {
  const [client, newcomer] = [world.newcomer(), newPlayerId()]
  const { body } = await client.play((await client.session()).round, 500)
  const { playerId: player } = tokens.readRound(body.round.token)
  const results = await Promise.all([
    ...[1, 2, 3].map(number => isCurrent(player, number)),
    ...[1, 2].map(number => isCurrent(newcomer, number)),
  ])
  expect(results).toEqual([false, true, false, true, false])
})

test('accepts no round from a guest cookie once the player belongs to an account', async () => {
  const client = world.newcomer()
  const { playerId } = tokens.readRound((await client.session()).round.token)
  expect(await isCurrent(playerId, 1)).toBe(true)
  await client.createAccount('Turned', 'correct horse battery')
  expect(await isCurrent(playerId, 1)).toBe(false)
})

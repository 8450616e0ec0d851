import { expect, test } from 'vitest'
import { rounds as tokens } from '../../tests/support/forgery.ts'
import { openWorld } from '../../tests/support/world.ts'
import { newPlayerId } from '../people/caller.ts'

const world = openWorld()

/** Creates a guest who has played this many rounds. Returns the client and the player ID. */
async function guest(times: number) {
  const client = world.newcomer()
  let { round } = await client.session()
  for (let time = 0; time < times; time += 1) round = (await client.play(round, 500)).body.round
  return { client, player: tokens.readRound(round.token).playerId }
}

async function isCurrent(player: string, number: number): Promise<boolean> {
  const time = await world.game.app.play.readStartTime({ playerId: player, number, targetMs: 1_000 })
  return time !== null
}

test("accepts only the round that follows a guest's last attempt", async () => {
  const [{ player }, newcomer] = [await guest(2), newPlayerId()]
  const results = await Promise.all([
    ...[1, 2, 3, 4].map(number => isCurrent(player, number)),
    ...[1, 2].map(number => isCurrent(newcomer, number)),
  ])
  expect(results).toEqual([false, false, true, false, true, false])
})

test('accepts no round from a guest cookie once the player belongs to an account', async () => {
  const { client, player } = await guest(1)
  expect(await isCurrent(player, 2)).toBe(true)
  await client.createAccount('Turned', 'correct horse battery')
  expect(await isCurrent(player, 2)).toBe(false)
})

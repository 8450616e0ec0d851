import { expect, test, vi } from 'vitest'
import { rounds } from '../../tests/support/forgery.ts'
import { openWorld } from '../../tests/support/world.ts'
import { newPlayerId, type PlayerId } from '../callers/player.ts'
import { clearFlag } from '../operators/moderation.ts'
import { flagTooSteady, WINDOW } from './bot-detector.ts'

const world = openWorld()

/** Returns the differences of a script that is 60 ms late, give or take 2 ms. */
const steady = (attempts = WINDOW) => Array.from({ length: attempts }, (_, n) => 58 + (n % 5))

/** Returns a window in which this many differences are ±7 ms, and the other differences ±6 ms. */
const aboutSeven = (sevens: number) =>
  Array.from({ length: WINDOW }, (_, n) => (n % 2 ? 1 : -1) * (n < sevens ? 7 : 6))

/** Records further attempts of a player, with these differences. */
async function play(player: PlayerId, differencesMs: readonly number[]): Promise<void> {
  await world.sql(
    `insert into attempts (player, round, username, target_time, actual_time, difference)
    select $1, place + (select count(*) from attempts where player = $1), 'Script', 3, 3 + ms * 0.001, ms * 0.001
    from unnest($2::integer[]) with ordinality as played (ms, place)`,
    [player, differencesMs],
  )
  await world.sql('update prize_pool set taps = taps + $1', [differencesMs.length])
}

test.each<[string, readonly number[], boolean]>([
  ['flags 40 steady attempts', steady(), true],
  ['does not flag 39 attempts, however steady', Array(WINDOW - 1).fill(0), false],
  ['flags a steady window after erratic attempts', [500, -300, 80, ...steady()], true],
  ['does not flag a steady window before erratic attempts', [...steady(), 500, -300, 80], false],
  ['flags a standard deviation of 6.99 ms', aboutSeven(36), true],
  ['does not flag a standard deviation of 7.04 ms', aboutSeven(38), false],
])('%s', async (_, differencesMs, tooSteady) => {
  const player = newPlayerId()
  await play(player, differencesMs)
  expect(await flagTooSteady(world.pool, [player])).toEqual(tooSteady ? [player] : [])
  expect(await flagTooSteady(world.pool, [player]), 'checked again').toEqual([])
})

test('flags a player again only for attempts made after the flag was cleared', async () => {
  const player = newPlayerId()
  await play(player, steady())
  await flagTooSteady(world.pool, [player])
  expect(await clearFlag(world.pool, player)).toBe(true)
  expect(await clearFlag(world.pool, player)).toBe(false)
  await play(player, steady(WINDOW - 1))
  expect(await flagTooSteady(world.pool, [player])).toEqual([])
  await play(player, [60])
  expect(await flagTooSteady(world.pool, [player])).toEqual([player])
})

test('flags a script after 40 wins; the script keeps its prizes, but wins no more until the flag is cleared', async () => {
  const script = world.newcomer()
  let { round } = await script.session()
  const { playerId: player } = rounds.readRound(round.token)
  for (const differenceMs of steady()) round = (await script.play(round, differenceMs)).body.round
  const isFlagged = async () => (await world.sql('select from flags where player = $1', [player])).length > 0
  await vi.waitUntil(isFlagged, { timeout: 60_000 })

  const held = (await script.session()).prize?.taps
  const { status, body } = await script.play(round, 60)
  expect(status).toBe(201)
  expect(body).toMatchObject({ reason: 'flagged', verified: true, prize: { taps: held } })
  expect(body.attempt).toMatchObject({ won_taps: null, taps_added: 1, verified: true })
  expect((await world.newcomer().get('/api/prize-pool')).body).toMatchObject({ taps: 1 })

  const { body: account } = await script.createAccount('Flagged Script', 'a long enough password')
  expect((await script.post('/api/claim')).body).toMatchObject({ taps: held })
  expect((await script.play(account.round, 60)).body).toMatchObject({ reason: 'flagged', prize: null })
  await clearFlag(world.pool, player)
  const { body: cleared } = await script.play((await script.session()).round, 60)
  expect(cleared).toMatchObject({ reason: null, attempt: { won_taps: 3 } })
})

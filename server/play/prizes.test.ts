import { expect, test, vi } from 'vitest'
import type { PrizePool } from '../../contract/api.ts'
import { openWorld } from '../../tests/support/world.ts'

const world = openWorld()

/** Creates a guest who has just won. */
async function winner() {
  const client = world.newcomer()
  const { body } = await client.play((await client.session()).round, 0)
  if (!body.prize) throw new Error('A perfect attempt won nothing')
  return { client, ...body, prize: body.prize }
}

const pool = async () => (await world.newcomer().get<PrizePool>('/api/prize-pool')).body

test("holds a guest's prize for 15 minutes, and extends the whole hold after another win", async () => {
  const { client, prize, round, attempt } = await winner()
  expect(prize.held_seconds).toBeGreaterThan(890)
  expect(prize.held_seconds).toBeLessThanOrEqual(900)
  const { taps, held_until } = prize
  expect((await client.session()).prize, 'after a reload').toMatchObject({ taps, held_until })
  await world.sql(
    `update holds set held_until = now() + interval '1 minute'
    where player = (select player from attempts where id = $1)`,
    [attempt.id],
  )
  expect((await client.session()).prize?.held_seconds).toBeLessThanOrEqual(60)
  const { body } = await client.play(round, 0)
  expect(body.prize?.taps).toBe(taps + (body.attempt.won_taps ?? 0))
  expect(body.prize?.held_seconds).toBeGreaterThan(890)
  expect((await client.session()).prize).toMatchObject({ held_until: body.prize?.held_until })
})

test('shortens a hold that ends later than the setting allows, and keeps its prize', async () => {
  const { client, prize, attempt } = await winner()
  await world.sql(
    `update holds set held_until = now() + interval '1 hour'
    where player = (select player from attempts where id = $1)`,
    [attempt.id],
  )
  const shortened = async () => ((await client.session()).prize?.held_seconds ?? 0) <= 900
  await vi.waitUntil(shortened, { timeout: 60_000 })
  const { prize: kept } = await client.session()
  expect(kept?.taps).toBe(prize.taps)
  expect(kept?.held_seconds).toBeGreaterThan(840)
})

test('returns thousands of expired holds in batches of 500, even while no round is played', async () => {
  const { taps } = await pool()
  await world.sql(`
    with played as (
      insert into attempts (player, round, username, target_time, actual_time, difference)
      select gen_random_uuid(), 1, 'Night Owl', 1, 1, 0 from generate_series(1, 2500)
      returning id, player
    ), prized as (
      insert into prizes (attempt_id, hold_id, taps) select id, id, 1 from played
    )
    insert into holds (id, player, taps, held_until)
    select id, player, 1, now() - interval '1 hour' from played`)
  await vi.waitUntil(async () => (await pool()).taps === taps + 2_500, { timeout: 60_000 })
  const parts = await world.sql<{ count: number }>(
    `select count(*) from holds where id in (select id from attempts where username = 'Night Owl')
    group by ended_at order by count desc`,
  )
  expect(parts.map(({ count }) => count)).toEqual([500, 500, 500, 500, 500])
})

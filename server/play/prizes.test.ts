import { expect, test } from 'vitest'
import type { PrizePool } from '../../contract/api.ts'
import type { CheckedClient } from '../../tests/support/checked-client.ts'
import { until } from '../../tests/support/until.ts'
import { openWorld } from '../../tests/support/world.ts'
import { claim } from './prizes.ts'

const world = openWorld()
const PASSWORD = 'correct horse battery'

/** Creates a guest who has just won. */
async function winner() {
  const client = world.newcomer()
  const { body } = await client.play(0)
  if (!body.prize) throw new Error('A perfect attempt won nothing')
  return { client, ...body, prize: body.prize }
}

const pool = async () => (await world.newcomer().get<PrizePool>('/api/prize-pool')).body

test("holds a guest's prize for 15 minutes, and extends the whole hold after another win", async () => {
  const { client, prize, attempt } = await winner()
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
  const { body } = await client.play(0)
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
  await until('the hold to be shortened', shortened)
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
  await until('all TAPS in the pool', async () => (await pool()).taps === taps + 2_500)
  const parts = await world.sql<{ count: number }>(
    `select count(*) from holds where id in (select id from attempts where username = 'Night Owl')
    group by ended_at order by count desc`,
  )
  expect(parts.map(({ count }) => count)).toEqual([500, 500, 500, 500, 500])
})

/** Plays a winning attempt. Returns its ID, which is the hold's ID too, and the TAPS won. */
async function winAs(client: CheckedClient) {
  const { body } = await client.play(0)
  return { id: body.attempt.id, taps: body.attempt.won_taps ?? 0 }
}

test('returns each expired hold within seconds', async () => {
  for (const name of ['first', 'second']) {
    const late = await winAs(world.newcomer())
    await world.sql('update holds set held_until = now() where id = $1', [late.id])
    const isReturned = async () => {
      const { ended_as } = (await holdOf(late)) ?? {}
      return ended_as === 'returned'
    }
    await until(`the ${name} hold to be returned`, isReturned, 20_000)
  }
})

async function accountWithPrize(name: string) {
  const client = world.newcomer()
  const { body } = await client.createAccount(name, PASSWORD)
  const { taps } = await winAs(client)
  return { user: body.user, taps }
}

async function holdOf({ id }: { readonly id: number }) {
  const [hold] = await world.sql('select taps, ended_as, moved_to from holds where id = $1', [id])
  return hold
}

test('pays an account once for simultaneous claims, and rejects a deleted account', async () => {
  const { user, taps } = await accountWithPrize('One Winner')
  const claims = await Promise.all([user, user].map(each => claim(world.pool, each)))
  expect(claims.map(claimed => claimed.taps).sort()).toEqual([0, taps])
  expect(claims.map(claimed => claimed.user)).toEqual(Array(2).fill({ ...user, taps_balance: taps }))
  await expect(claim(world.pool, { ...user, id: 0 })).rejects.toThrow('Please log in first')
})

test('answers a claim for which no prize is held, even while another transaction locks the pool', async () => {
  const client = world.newcomer()
  await client.createAccount('Empty-Handed', PASSWORD)
  const other = await world.pool.connect()
  await other.query('begin; select from prize_pool for update')
  const claimed = await client.post('/api/claim')
  await other.query('rollback')
  other.release()
  expect(claimed.body).toMatchObject({ taps: 0, user: { username: 'Empty-Handed', taps_balance: 0 } })
})

test('returns an expired hold to the pool when its guest logs in or signs up', async () => {
  const owner = world.newcomer()
  await owner.createAccount('Latecomer', PASSWORD)
  const own = await winAs(owner)
  for (const how of ['login', 'createAccount'] as const) {
    const guest = world.newcomer()
    const late = await winAs(guest)
    await world.sql('update holds set held_until = now() where id = $1', [late.id])
    await guest[how](how === 'login' ? 'Latecomer' : 'Too Late', PASSWORD)
    expect(await holdOf(late)).toMatchObject({ ended_as: 'returned', moved_to: null })
  }
  expect(await holdOf(own)).toMatchObject({ taps: own.taps, ended_as: null })
})

test('returns an expired hold to the pool when its guest wins again', async () => {
  const late = await winAs(world.newcomer())
  // Uses one transaction, so that no timer can return the hold first.
  await world.sql(
    `update holds set held_until = now() where id = ${late.id};
    select record_batch(array[player], array[round + 1], array[null]::bigint[], array['Again'], array[2000],
      array[2000], array[extract(epoch from now()) * 1000]::bigint[], array[true], 1, '15 minutes', 2000, 0) from attempts where id = ${late.id}`,
  )
  expect(await holdOf(late)).toMatchObject({ taps: late.taps, ended_as: 'returned' })
})

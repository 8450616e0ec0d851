import { describe, expect, test, vi } from 'vitest'
import type { CheckedClient } from '../../tests/support/checked-client.ts'
import { openWorld } from '../../tests/support/world.ts'
import { checkLedger } from './ledger.ts'

const world = openWorld()
const PASSWORD = 'correct horse battery'

/** A guest who has just won. */
async function winner() {
  const client = world.newcomer()
  const { body } = await client.play((await client.session()).round, 0)
  if (!body.prize) throw new Error('A perfect attempt won nothing')
  return { client, ...body, prize: body.prize }
}

async function miss(): Promise<void> {
  const client = world.newcomer()
  await client.play((await client.session()).round, 500)
}

describe('a win', () => {
  test('takes the whole pool, its own TAPS included, and the next attempt starts a new one', async () => {
    const before = await taps()
    await miss()
    await miss()
    expect(await taps()).toBe(before + 2)
    const { attempt, prize } = await winner()
    expect(attempt.won_taps).toBe(before + 3)
    expect(prize.taps).toBe(before + 3)
    const { username, is_guest, won_taps, created_at } = attempt
    const { body } = await world.newcomer().get('/api/prize-pool')
    expect(body).toEqual({ taps: 0, last_win: { username, is_guest, won_taps, created_at } })
    await miss()
    expect(await taps()).toBe(1)
  })

  test('is held 15 minutes for a guest, also over a reload', async () => {
    const { client, prize } = await winner()
    expect(prize.held_seconds).toBeGreaterThan(890)
    expect(prize.held_seconds).toBeLessThanOrEqual(900)
    const session = await client.session()
    expect(session.prize).toMatchObject({ taps: prize.taps, held_until: prize.held_until })
  })

  test('is held for an account until it is claimed', async () => {
    const client = world.newcomer()
    const { body } = await client.createAccount('Holder', PASSWORD)
    const { body: won } = await client.play(body.round, 0)
    expect(won.prize).toEqual({ taps: won.attempt.won_taps, held_until: null, held_seconds: null })
    expect((await client.session()).prize).toEqual(won.prize)
  })

  test('of a guest who holds one already moves both to the new, later time, and the answer counts both', async () => {
    const { client, prize, round, attempt } = await winner()
    await expire(attempt.id, '1 minute')
    const { body } = await client.play(round, 0)
    expect(body.prize?.taps).toBe(prize.taps + (body.attempt.won_taps ?? 0))
    expect(body.prize?.held_seconds).toBeGreaterThan(890)
    expect((await client.session()).prize).toMatchObject({
      taps: body.prize?.taps,
      held_until: body.prize?.held_until,
    })
  })

  test('does not revive a prize whose time is up', async () => {
    const { client, round, attempt } = await winner()
    await expire(attempt.id, '0 seconds')
    const { body } = await client.play(round, 0)
    expect(body.prize?.taps).toBe(body.attempt.won_taps)
    await returned(attempt.id)
  })
})

describe('a hold that ends', () => {
  test('returns the prize to the pool, also when nobody plays', async () => {
    const { client, attempt } = await winner()
    const before = await taps()
    await expire(attempt.id, '0 seconds')
    await returned(attempt.id)
    expect(await taps()).toBe(before + (attempt.won_taps ?? 0))
    expect((await client.session()).prize).toBeNull()
  })

  test('goes back in parts when very many are due at once, as after a night without a server', async () => {
    const before = await taps()
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
    await vi.waitUntil(async () => (await taps()) === before + 2_500, { timeout: 60_000 })
    const parts = await world.sql<{ count: number }>(
      `select count(*) from holds where id in (select id from attempts where username = 'Night Owl')
      group by ended_at order by count desc`,
    )
    expect(parts.map(({ count }) => count)).toEqual([500, 500, 500, 500, 500])
  })

  test('leaves nothing for an account that comes too late', async () => {
    const { client, attempt } = await winner()
    await expire(attempt.id, '0 seconds')
    await client.createAccount('Too Late', PASSWORD)
    expect((await client.session()).prize).toBeNull()
    expect(await claimed(client)).toBe(0)
    await returned(attempt.id)
    expect(await claimed(client)).toBe(0)
  })
})

describe('a claim', () => {
  test('needs an account', async () => {
    const { client } = await winner()
    expect((await client.post('/api/claim')).body).toEqual({
      status: 401,
      code: 'login_required',
      title: 'Please log in first',
    })
    expect((await world.newcomer().post('/api/claim')).status).toBe(401)
  })

  test('moves every held prize into the balance and marks the attempts', async () => {
    const { client, prize, round } = await winner()
    const { body: second } = await client.play(round, 50)
    const total = prize.taps + (second.attempt.won_taps ?? 0)
    const { body } = await client.createAccount('Claimer', PASSWORD)
    expect(body.prize).toEqual({ taps: total, held_until: null, held_seconds: null })
    const answer = await client.post('/api/claim')
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ taps: total, user: { ...body.user, taps_balance: total } })
    const session = await client.session()
    expect(session).toMatchObject({ prize: null, user: { taps_balance: total } })
    const mine = await client.get<{ attempts: unknown[] }>('/api/attempts/mine')
    expect(mine.body.attempts).toMatchObject([{ claimed: true }, { claimed: true }])
  })

  test('pays once, whatever is sent again and at once', async () => {
    const { client, prize } = await winner()
    await client.createAccount('Once', PASSWORD)
    const amounts = await Promise.all(Array.from({ length: 10 }, () => claimed(client)))
    expect(amounts.sort((a, b) => a - b)).toEqual([...Array(9).fill(0), prize.taps])
    expect(await claimed(client)).toBe(0)
    expect((await client.session()).user?.taps_balance).toBe(prize.taps)
  })

  test('of nothing is 0 TAPS', async () => {
    const client = world.newcomer()
    const { body } = await client.createAccount('Empty Hands', PASSWORD)
    expect((await client.post('/api/claim')).body).toEqual({ taps: 0, user: body.user })
  })
})

describe('a guest who holds a prize', () => {
  test('brings it along into a new account, where it no longer expires', async () => {
    const { client, prize } = await winner()
    const { body } = await client.createAccount('Founder', PASSWORD)
    expect(body.prize).toEqual({ taps: prize.taps, held_until: null, held_seconds: null })
    expect(await claimed(client)).toBe(prize.taps)
  })

  test('brings it along into the account they sign in to, beside what that one holds', async () => {
    const owner = world.newcomer()
    const { body: account } = await owner.createAccount('Collector', PASSWORD)
    const { body: own } = await owner.play(account.round, 0)
    const { client, prize } = await winner()
    const { body } = await client.login('Collector', PASSWORD)
    const total = prize.taps + (own.prize?.taps ?? 0)
    expect(body.prize).toEqual({ taps: total, held_until: null, held_seconds: null })
    expect(await claimed(owner)).toBe(total)
  })

  test('brings it along when the answer to the sign-in is lost', async () => {
    await world.newcomer().createAccount('Unlucky', PASSWORD)
    const { client, prize } = await winner()
    await client.copy().login('Unlucky', PASSWORD)
    expect((await client.session()).prize).toBeNull()
    const { body } = await client.login('Unlucky', PASSWORD)
    expect(body.prize).toEqual({ taps: prize.taps, held_until: null, held_seconds: null })
  })

  test('keeps it when the password was wrong', async () => {
    await world.newcomer().createAccount('Forgetful', PASSWORD)
    const { client, prize } = await winner()
    await client.login('Forgetful', 'a wrong password')
    expect((await client.session()).prize?.taps).toBe(prize.taps)
  })
})

test('the ledger is sound in every account and every hold afterwards', async () => {
  expect(await checkLedger(world.pool)).toMatchObject({ ok: true })
})

/** Moves the end of its winner's hold to this long from now. */
async function expire(attempt: number, from: string): Promise<void> {
  await world.sql(
    `update holds set held_until = now() + $2::interval
    where ended_at is null and player = (select player from attempts where id = $1)`,
    [attempt, from],
  )
}

/** Waits until a prize has gone back to the pool. */
async function returned(attempt: number): Promise<void> {
  await vi.waitUntil(
    async () => {
      const done = `select from prize_ends where attempt_id = $1 and ended_as = 'returned'`
      return (await world.sql(done, [attempt])).length > 0
    },
    { timeout: 60_000 },
  )
}

async function claimed(client: CheckedClient): Promise<number> {
  return (await client.post<{ taps: number }>('/api/claim')).body.taps
}

async function taps(): Promise<number> {
  return (await world.newcomer().get<{ taps: number }>('/api/prize-pool')).body.taps
}

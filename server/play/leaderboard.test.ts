import { expect, test } from 'vitest'
import type { Leaderboard } from '../../contract/api.ts'
import { openWorld } from '../../tests/support/world.ts'

const world = openWorld()
const PASSWORD = 'correct horse battery'

/** Creates accounts with these balances, each with a claimed prize, so that the ledger stays balanced. */
async function createAccounts(
  amounts: readonly (readonly [username: string, taps: number])[],
): Promise<void> {
  await world.sql(
    `with input as (
      select * from unnest($1::text[], $2::bigint[]) with ordinality as input (username, taps, place)
    ), owner as (
      insert into users (username, username_key, password_hash, taps_balance, player)
      select username, lower(username), '', taps, gen_random_uuid() from input order by place
      returning id, username, taps_balance, player
    ), won as (
      insert into attempts
        (player, round, user_id, username, target_time, actual_time, difference, taps_added)
      select player, 1, id, username, 1, 1, 0, taps_balance from owner where taps_balance > 0
      returning id, user_id, player, taps_added
    ), prized as (
      insert into prizes (attempt_id, hold_id, taps) select id, id, taps_added from won
    )
    insert into holds (id, player, taps, ended_at, ended_as, claimed_by)
    select id, player, taps_added, now(), 'claimed', user_id from won`,
    [amounts.map(([username]) => username), amounts.map(([, taps]) => taps)],
  )
}

async function board(): Promise<Leaderboard['leaderboard']> {
  return (await world.newcomer().get<Leaderboard>('/api/leaderboard')).body.leaderboard
}

test('lists ten accounts, and reports the rank of an account that is not listed', async () => {
  await createAccounts(Array.from({ length: 13 }, (_, n) => [`Filler ${n}`, 3] as const))
  const rows = await board()
  expect(rows).toHaveLength(10)
  expect(rows.at(-1)).toEqual({ username: 'Filler 9', taps_balance: 3 })

  const client = world.newcomer()
  await client.createAccount('Newcomer', PASSWORD)
  expect((await client.session()).rank).toBe(14)
})

test('leaves banned accounts out of the list and of the ranks', async () => {
  const client = world.newcomer()
  await client.createAccount('Ranked', PASSWORD)
  const rank = async () => (await client.session()).rank ?? 0
  const before = await rank()
  await createAccounts([['Richest', 99]])
  expect(await rank()).toBe(before + 1)
  await world.sql(`update users set banned_at = now() where username = 'Richest'`)
  expect(await rank()).toBe(before)
  expect((await board()).map(({ username }) => username)).not.toContain('Richest')
})

test('reports ranks up to 1,000, and none beyond', async () => {
  const client = world.newcomer()
  await client.createAccount('Last', PASSWORD)
  const rank = async () => (await client.session()).rank
  await createAccounts(
    Array.from({ length: 1_000 - ((await rank()) ?? 0) }, (_, n) => [`Richer ${n}`, 1] as const),
  )
  expect(await rank()).toBe(1_000)
  await createAccounts([['One More', 1]])
  expect(await rank()).toBeNull()
})

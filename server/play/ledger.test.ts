import { describe, expect, test } from 'vitest'
import { openWorld } from '../../tests/support/world.ts'
import { checkLedger } from './ledger.ts'

const world = openWorld()
const PASSWORD = 'correct horse battery'

/** Creates an account that has claimed a prize. Returns the account's ID, name and balance. */
async function claimant(username: string) {
  const client = world.newcomer()
  await client.play(500)
  await client.createAccount(username, PASSWORD)
  await client.play(0)
  const claimed = await client.post<{ user: { id: number; taps_balance: number } }>('/api/claim')
  return { id: claimed.body.user.id, username, balance: claimed.body.user.taps_balance }
}

/** Runs these statements, then the check, and finally restores all balances. */
async function whileCorrupted<Result>(statements: string, check: () => Promise<Result>): Promise<Result> {
  const saved = await world.sql<{ id: number; balance: number }>(
    'select id, taps_balance as balance from users',
  )
  await world.sql(statements)
  try {
    return await check()
  } finally {
    await world.sql(
      'update users set taps_balance = balance from unnest($1::bigint[], $2::bigint[]) as saved (id, balance) where users.id = saved.id',
      [saved.map(({ id }) => id), saved.map(({ balance }) => balance)],
    )
  }
}

describe('the ledger', () => {
  test('is out of balance when a balance was raised, and names the account', async () => {
    const { id, username, balance } = await claimant('Raised')
    const { ok, lines } = await whileCorrupted(
      `update users set taps_balance = taps_balance + 7 where id = ${id}`,
      () => checkLedger(world.pool),
    )
    expect(ok).toBe(false)
    expect(lines).toContain('The ledger is out of balance by 7 TAPS.')
    expect(lines).toContain(
      `Account ${id} (${username}) has a balance of ${balance + 7}, but has claimed ${balance} TAPS.`,
    )
    expect(lines.filter(line => line.startsWith('Account'))).toHaveLength(1)
  })

  test('fails its check when TAPS were moved between accounts, although both sides are equal', async () => {
    const giver = await claimant('Giver')
    const taker = await claimant('Taker')
    const { ok, lines } = await whileCorrupted(
      `update users set taps_balance = taps_balance + case when id = ${taker.id} then 1 else -1 end
      where id in (${giver.id}, ${taker.id})`,
      () => checkLedger(world.pool),
    )
    expect(ok).toBe(false)
    expect(lines).toContain('The ledger is balanced.')
    expect(lines.filter(line => line.startsWith('Account'))).toHaveLength(2)
  })

  test.each([
    ['exceeds its prizes', 'update holds set taps = taps + 3 where id = $1', 3],
    ['is missing', 'delete from holds where id = $1', -1],
  ])('is out of balance when a hold %s, and names the hold', async (_, change, by) => {
    const client = world.newcomer()
    await client.play(0)
    const [hold] = await world.sql<{ id: number; player: string; taps: number; held_until: Date }>(
      'select id, player, taps, held_until from holds order by id desc limit 1',
    )
    if (!hold) throw new Error('The win created no hold')
    const { id, player, taps, held_until } = hold
    const held = by < 0 ? 0 : taps + by
    await world.sql(change, [id])
    const { ok, lines } = await checkLedger(world.pool)
    await world.sql(
      `insert into holds (id, player, taps, held_until) values ($1, $2, $3, $4)
      on conflict (id) do update set taps = excluded.taps`,
      [id, player, taps, held_until],
    )
    expect(ok).toBe(false)
    expect(lines).toContain(`The ledger is out of balance by ${held - taps} TAPS.`)
    const owner = by < 0 ? 'no player' : `player ${player}`
    expect(lines.filter(line => line.startsWith('Hold'))).toEqual([
      `Hold ${id} (${owner}) contains ${held} TAPS, but its parts total ${taps}.`,
    ])
  })
})

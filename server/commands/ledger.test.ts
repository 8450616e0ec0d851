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

/** Checks the ledger after a statement that nothing commits. */
async function checkAfter(statement: string) {
  const client = await world.pool.connect()
  await client.query('begin')
  await client.query(statement)
  const checked = await checkLedger(client).finally(() => client.query('rollback'))
  client.release()
  return checked
}

describe('the ledger', () => {
  test('is out of balance when a balance was raised, and names the account', async () => {
    const { id, username, balance } = await claimant('Raised')
    const { ok, lines } = await checkAfter(
      `update users set taps_balance = taps_balance + 7 where id = ${id}`,
    )
    expect(ok).toBe(false)
    expect(lines).toContain('The ledger is out of balance by 7 TAPS.')
    expect(lines.filter(line => line.startsWith('Account'))).toEqual([
      `Account ${id} (${username}) has a balance of ${balance + 7}, but has claimed ${balance} TAPS.`,
    ])
  })

  test('names an account whose balance and claims differ by other than what bans took back', async () => {
    const { id, username, balance } = await claimant('Banned')
    const { lines } = await checkAfter(
      `update users set taken_back = 1, taps_balance = taps_balance + 1 where id = ${id}`,
    )
    expect(lines.filter(line => line.startsWith('Account'))).toEqual([
      `Account ${id} (${username}) has a balance of ${balance + 1}, but has claimed ${balance} TAPS, of which bans took back 1.`,
    ])
  })

  test('fails its check when TAPS were moved between accounts, although both sides are equal', async () => {
    const [giver, taker] = [await claimant('Giver'), await claimant('Taker')]
    const { ok, lines } = await checkAfter(
      `update users set taps_balance = taps_balance + case when id = ${taker.id} then 1 else -1 end
      where id in (${giver.id}, ${taker.id})`,
    )
    expect(ok).toBe(false)
    expect(lines).toContain('The ledger is balanced.')
    expect(lines.filter(line => line.startsWith('Account'))).toHaveLength(2)
  })

  test.each([
    ['exceeds its prizes', 'update holds set taps = taps + 3 where id = ', 3],
    ['is missing', 'delete from holds where id = ', -1],
  ])('is out of balance when a hold %s, and names the hold', async (_, change, by) => {
    await world.newcomer().play(0)
    const [hold] = await world.sql<{ id: number; player: string; taps: number }>(
      'select id, player, taps from holds order by id desc limit 1',
    )
    if (!hold) throw new Error('The win created no hold')
    const { id, player, taps } = hold
    const held = by < 0 ? 0 : taps + by
    const { ok, lines } = await checkAfter(change + id)
    expect(ok).toBe(false)
    expect(lines).toContain(`The ledger is out of balance by ${held - taps} TAPS.`)
    const owner = by < 0 ? 'no player' : `player ${player}`
    expect(lines.filter(line => line.startsWith('Hold'))).toEqual([
      `Hold ${id} (${owner}) contains ${held} TAPS, but its parts total ${taps}.`,
    ])
  })
})

import { afterEach, expect, test } from 'vitest'
import type { CheckedClient } from '../../tests/support/checked-client.ts'
import { openWorld } from '../../tests/support/world.ts'
import { checkLedger } from './ledger.ts'

const world = openWorld()
const PASSWORD = 'correct horse battery'

/** A row of `holds` without its times. */
interface Hold {
  readonly id: number
  readonly taps: number
  readonly endless: boolean
  readonly ended_as: string | null
  readonly moved_to: number | null
  readonly claimed_by: number | null
}

/** Plays a winning attempt. Returns its ID and the TAPS won. */
async function win(client: CheckedClient) {
  const { body } = await client.play((await client.session()).round, 0)
  return { id: body.attempt.id, taps: body.attempt.won_taps ?? 0 }
}

/** Reads the hold that contains the prize of a win. */
async function holdOf({ id }: { readonly id: number }): Promise<Hold | undefined> {
  const [hold] = await world.sql<Hold>(
    `select id, holds.taps, held_until is null as endless, ended_as, moved_to, claimed_by
    from holds join prizes on hold_id = id where attempt_id = $1`,
    [id],
  )
  return hold
}

/** Returns the `claimed` field of each of the player's attempts, by attempt ID. */
async function claimedOf(client: CheckedClient): Promise<Record<number, boolean>> {
  const { body } = await client.get<{ attempts: { id: number; claimed: boolean }[] }>('/api/attempts/mine')
  return Object.fromEntries(body.attempts.map(({ id, claimed }) => [id, claimed]))
}

afterEach(async () => {
  const { ok, lines } = await checkLedger(world.pool)
  expect(ok, lines.join('\n')).toBe(true)
})

test('shows a moved hold with the status of the hold it moved into', async () => {
  const owner = world.newcomer()
  const account = (await owner.createAccount('Gatherer', PASSWORD)).body.user
  const own = await win(owner)
  const guest = world.newcomer()
  const brought = await win(guest)
  const copy = guest.copy()
  await guest.login('Gatherer', PASSWORD)
  const moved = { id: brought.id, taps: brought.taps, endless: false, ended_as: 'moved', moved_to: own.id }
  expect(await holdOf(brought)).toEqual({ ...moved, claimed_by: null })
  expect(await claimedOf(copy)).toEqual({ [brought.id]: false })
  await guest.post('/api/claim')
  const claimed = { endless: true, ended_as: 'claimed', moved_to: null, claimed_by: account.id }
  expect(await holdOf(own)).toEqual({ ...claimed, id: own.id, taps: own.taps + brought.taps })
  expect(await claimedOf(copy)).toEqual({ [brought.id]: true })
  await guest.post('/api/users/delete', { password: PASSWORD })
  expect(await holdOf(own)).toMatchObject(claimed)
  expect(await claimedOf(copy)).toEqual({ [brought.id]: false })
})

test('returns an expired hold to the pool when its guest logs in or signs up', async () => {
  const owner = world.newcomer()
  await owner.createAccount('Latecomer', PASSWORD)
  const own = await win(owner)
  for (const how of ['login', 'createAccount'] as const) {
    const guest = world.newcomer()
    const late = await win(guest)
    await world.sql('update holds set held_until = now() where id = $1', [late.id])
    await guest[how](how === 'login' ? 'Latecomer' : 'Too Late', PASSWORD)
    expect(await holdOf(late)).toMatchObject({ ended_as: 'returned', moved_to: null })
  }
  expect(await holdOf(own)).toMatchObject({ taps: own.taps, ended_as: null })
})

test('returns an expired hold to the pool when its guest wins again', async () => {
  const late = await win(world.newcomer())
  // Uses one transaction, so that no timer can return the hold first.
  await world.sql(
    `update holds set held_until = now() where id = ${late.id};
    select record_attempts(array[player], array[round + 1], array[null]::bigint[], array['Again'], array[2000],
      array[2000], array[extract(epoch from now()) * 1000]::bigint[], array[true], 1, '15 minutes', 2000, 0) from attempts where id = ${late.id}`,
  )
  expect(await holdOf(late)).toMatchObject({ taps: late.taps, ended_as: 'returned' })
})

test("never reuses a deleted account's player ID for attempts or a new account", async () => {
  const client = world.newcomer()
  const { round } = await client.session()
  const start = await client.start(round)
  const [before, heir] = [client.copy(), client.copy()]
  await client.createAccount('Bygone', PASSWORD)
  const [{ player } = { player: '' }] = await world.sql<{ player: string }>(
    `select player from users where username = 'Bygone'`,
  )
  await client.post('/api/users/delete', { password: PASSWORD })
  const stop = { start, actual_time: round.target_time, username: 'Someone' }
  expect((await before.post('/api/attempts', stop)).body).toMatchObject({ code: 'stale_round' })
  await heir.createAccount('Successor', PASSWORD)
  expect(
    await world.sql(`select from users where username = 'Successor' and player <> $1`, [player]),
  ).toHaveLength(1)
  expect(await world.sql('select from attempts where player = $1', [player])).toEqual([])
})

test('claim_taps returns no row for an account that does not exist', async () => {
  expect(await world.sql('select * from claim_taps(999999)')).toEqual([])
})

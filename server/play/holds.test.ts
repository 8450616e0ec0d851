import { afterEach, expect, test } from 'vitest'
import type { AttemptList } from '../../contract/api.ts'
import type { CheckedClient } from '../../tests/support/checked-client.ts'
import { openWorld } from '../../tests/support/world.ts'
import { checkLedger } from './ledger.ts'

const world = openWorld()
const PASSWORD = 'correct horse battery'

/** How a hold ended, from `holds`. */
interface Hold {
  readonly id: number
  readonly taps: number
  readonly ended_as: string | null
  readonly moved_to: number | null
}

/** Plays a winning attempt. Returns its ID and the TAPS won. */
async function win(client: CheckedClient) {
  const { body } = await client.play((await client.session()).round, 0)
  return { id: body.attempt.id, taps: body.attempt.won_taps ?? 0 }
}

/** Reads the hold that contains the prize of a win. */
async function holdOf({ id }: { readonly id: number }): Promise<Hold | undefined> {
  const [hold] = await world.sql<Hold>(
    `select id, holds.taps, ended_as, moved_to
    from holds join prizes on hold_id = id where attempt_id = $1`,
    [id],
  )
  return hold
}

afterEach(async () => {
  const { ok, lines } = await checkLedger(world.pool)
  expect(ok, lines.join('\n')).toBe(true)
})

test('shows a win as claimed when the account has claimed the hold that the win moved into', async () => {
  const owner = world.newcomer()
  await owner.createAccount('Gatherer', PASSWORD)
  await win(owner)
  const guest = world.newcomer()
  await win(guest)
  const copy = guest.copy()
  const claimed = async () =>
    (await copy.get<AttemptList>('/api/attempts/mine')).body.attempts.map(attempt => attempt.claimed)
  await guest.login('Gatherer', PASSWORD)
  expect(await claimed()).toEqual([false])
  await guest.post('/api/claim')
  expect(await claimed()).toEqual([true])
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

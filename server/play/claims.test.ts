import { expect, test } from 'vitest'
import type { Claimed } from '../../contract/api.ts'
import { openWorld } from '../../tests/support/world.ts'
import { createClaim } from './prizes.ts'

const world = openWorld()

/** Creates an account that wins. Returns the user and the TAPS won. */
async function winner(name: string) {
  const client = world.newcomer()
  const { body } = await client.createAccount(name, 'correct horse battery')
  const { attempt } = (await client.play(body.round, 0)).body
  return { user: body.user, taps: attempt.won_taps }
}

test('commits simultaneous claims together, pays each account once, and rejects only a deleted account', async () => {
  const [one, other] = [await winner('One Winner'), await winner('Other Winner')]
  const claim = createClaim(world.pool)
  const gone = { ...one.user, id: 0 }
  const results = await Promise.allSettled([one.user, gone, other.user, one.user].map(claim))
  expect(results).toMatchObject([
    { value: { taps: one.taps, user: { ...one.user, taps_balance: one.taps } } },
    { reason: { code: 'login_required' } },
    { value: { taps: other.taps, user: { ...other.user, taps_balance: other.taps } } },
    { value: { taps: 0, user: { ...one.user, taps_balance: one.taps } } },
  ])
  const commits = await world.sql('select distinct ended_at from holds where claimed_by is not null')
  expect(commits).toHaveLength(1)
})

test('answers a claim for which no prize is held, even while another transaction locks the pool', async () => {
  const client = world.newcomer()
  await client.createAccount('Empty-Handed', 'correct horse battery')
  const other = await world.pool.connect()
  await other.query('begin; select from prize_pool for update')
  const claimed = await client.post<Claimed>('/api/claim')
  await other.query('rollback')
  other.release()
  expect(claimed.body).toEqual({
    taps: 0,
    user: { id: expect.any(Number), username: 'Empty-Handed', taps_balance: 0 },
  })
})

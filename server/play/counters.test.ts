import { expect, test } from 'vitest'
import { openOperator } from '../../tests/support/operator.ts'
import { openWorld } from '../../tests/support/world.ts'

const world = openWorld()
const { users } = openOperator(world)
const PASSWORD = 'correct horse battery'

interface Counters {
  readonly attempts: number
  readonly boards: number
}

async function counters(): Promise<Counters> {
  const [row] = await world.sql<Counters>('select attempts, boards from prize_pool')
  if (!row) throw new Error('prize_pool has no row')
  return row
}

/** Measures how much both counters grow during an action. */
async function growth(act: () => Promise<unknown>): Promise<Counters> {
  const before = await counters()
  await act()
  const after = await counters()
  return { attempts: after.attempts - before.attempts, boards: after.boards - before.boards }
}

const ATTEMPT: Counters = { attempts: 1, boards: 0 }
const BOARDS: Counters = { attempts: 0, boards: 1 }
const NOTHING: Counters = { attempts: 0, boards: 0 }

test('counts every recorded attempt, and every other change to a board', async () => {
  const client = world.newcomer()
  const { round } = await client.session()
  const start = (await client.start(round)).start
  const stop = () =>
    client.post('/api/attempts', { start, actual_time: round.target_time, username: 'Someone' })
  expect(await growth(stop)).toEqual(ATTEMPT)
  expect(await growth(stop), 'sent again').toEqual(NOTHING)
  expect(await growth(() => client.createAccount('Counted', PASSWORD))).toEqual(BOARDS)
  expect(await growth(() => client.post('/api/claim'))).toEqual(BOARDS)
  expect(await growth(() => client.post('/api/claim')), 'with nothing held').toEqual(NOTHING)
  expect(await growth(() => users('rename', 'Counted', 'Recounted'))).toEqual(BOARDS)
  expect(await growth(() => users('ban', 'Recounted'))).toEqual(BOARDS)
  expect(await growth(() => users('delete', 'Recounted'))).toEqual(BOARDS)
})

test('counts one change when a hold returns to the pool, and none when no hold has expired', async () => {
  const client = world.newcomer()
  const { body } = await client.play(0)
  const expire = () => world.sql("select expire_holds('15 minutes')")
  expect(await growth(expire)).toEqual(NOTHING)
  const expireNow = async () => {
    await world.sql(
      'update holds set held_until = now() where player = (select player from attempts where id = $1)',
      [body.attempt.id],
    )
    await expire()
  }
  expect(await growth(expireNow)).toEqual(BOARDS)
})

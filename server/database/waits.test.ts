import { expect, test } from 'vitest'
import { openWorld } from '../../tests/support/world.ts'
import { openDatabase } from './pool.ts'
import { timeWaits } from './waits.ts'

const world = openWorld()

test('every caller is timed, also one that waits for all the others', async () => {
  const pool = openDatabase(world.database.connection, world.game.app.log)
  const waits: number[] = []
  timeWaits(pool, seconds => waits.push(seconds))
  const clients = await Promise.all(Array.from({ length: 10 }, () => pool.connect()))
  const waiting = pool.query<{ one: number }>('select 1 as one')
  expect(waits).toHaveLength(10)
  await clients[0]?.query('select pg_sleep(0.05)')
  for (const client of clients) client.release()
  expect((await waiting).rows).toEqual([{ one: 1 }])
  expect(waits).toHaveLength(11)
  expect(waits[10]).toBeGreaterThan(0.05)
  await pool.end()
})

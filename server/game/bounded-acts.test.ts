import type { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withClient } from '../../tests/support/connect.ts'
import { createTestDatabase, type TestDatabase } from '../../tests/support/database.ts'
import { type Act, actsOf, inVain, loadDueHolds, loadHoard } from '../../tests/support/hoard.ts'

const MANY = 5_000

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})

afterAll(() => database.drop())

/** How many rows an act inserts, updates and deletes. */
function changesOf(client: Client, { text, values }: Act): Promise<number> {
  return inVain(client, async () => {
    const before = await changes(client)
    await client.query(text, [...values])
    return (await changes(client)) - before
  })
}

/** By this connection, with what was not counted in the statistics yet. */
async function changes(client: Client): Promise<number> {
  const { rows } = await client.query<{ sum: string }>(
    'select sum(n_tup_ins + n_tup_upd + n_tup_del) from pg_stat_xact_user_tables',
  )
  return Number(rows[0]?.sum)
}

test('an act changes as many rows for thousands of prizes as for one', async () => {
  await withClient(database.connection, async client => {
    const [one, many] = [await loadHoard(client, 1), await loadHoard(client, MANY)]
    const few = new Map<string, number>()
    for (const act of actsOf(one)) few.set(act.name, await changesOf(client, act))
    for (const act of actsOf(many)) {
      const rows = await changesOf(client, act)
      expect(rows, act.name).toBeGreaterThan(1)
      expect(rows, act.name).toBe(few.get(act.name))
    }
  })
})

test('the expiry takes no more holds at once than it may, however many are over', async () => {
  await withClient(database.connection, async client => {
    await loadDueHolds(client, MANY)
    // With the row of the pool.
    const expiry = { name: 'expiry', text: 'select expire_holds()', values: [] }
    expect(await changesOf(client, expiry)).toBe(500 + 1)
  })
})

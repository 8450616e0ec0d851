import { describe, expect, onTestFinished, test } from 'vitest'
import { withClient } from '../../tests/support/connect.ts'
import { openWorld } from '../../tests/support/world.ts'

const world = openWorld()
const PASSWORD = 'correct horse battery'

/** Creates a role that owns nothing, to which the host has given all tables and views. */
async function createGuestRole(): Promise<string> {
  const role = 'anon'
  await world.sql(`create role ${role}; grant all on all tables in schema public to ${role}`)
  onTestFinished(async () => {
    await world.sql(`drop owned by ${role}; drop role ${role}`)
  })
  return role
}

/** Fills every table and view with a row. */
async function fill(): Promise<void> {
  const [client, deleted] = [world.newcomer(), world.newcomer()]
  await client.createAccount('Somebody', PASSWORD)
  for (const differenceMs of [0, 0, 0, 0, 0]) await client.play(differenceMs)
  await deleted.createAccount('Gone', PASSWORD)
  await deleted.post('/api/users/delete', { password: PASSWORD })
  await world.sql("insert into operator_acts (act, by_user) values ('backup', 'root')")
}

/** Returns the names of all tables and views of the game. */
async function relations(): Promise<string[]> {
  const rows = await world.sql<{ name: string }>(
    `select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f') order by 1`,
  )
  return rows.map(({ name }) => name)
}

test('every table has row level security, and every view shows a role what its own rights allow', async () => {
  const open = await world.sql(
    `select relname from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')
      and not relrowsecurity and not coalesce('security_invoker=true' = any (reloptions), false)`,
  )
  expect(open).toEqual([])
  expect(await world.sql('select from pg_class where relforcerowsecurity')).toEqual([])
})

describe('a role that the host gives all tables', () => {
  test('sees no row, and can change and add none', async () => {
    await fill()
    const role = await createGuestRole()
    const names = await relations()
    expect(names).toEqual(expect.arrayContaining(['users', 'hands', 'prize_ends', 'account_players']))
    await withClient(world.database.connection, async client => {
      const count = async (name: string) => (await client.query(`select from ${name}`)).rowCount
      for (const name of names) expect(await count(name), `rows of ${name}`).toBeGreaterThan(0)
      await client.query(`set role ${role}`)
      for (const name of names) expect(await count(name), `rows of ${name} for the role`).toBe(0)
      expect((await client.query('update users set taps_balance = 99')).rowCount).toBe(0)
      expect((await client.query('delete from sessions')).rowCount).toBe(0)
      await expect(client.query('insert into past_players values (gen_random_uuid())')).rejects.toThrow(
        'row-level security',
      )
    })
  })
})

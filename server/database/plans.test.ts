import { afterAll, beforeAll, expect, test } from 'vitest'
import { withClient } from '../../tests/support/connect.ts'
import { createTestDatabase, type TestDatabase } from '../../tests/support/database.ts'
import { loadUnseen } from '../../tests/support/history.ts'
import { Observed } from '../../tests/support/observed.ts'
import { type Explained, pagesOf, stepsOf } from '../../tests/support/plans.ts'

const HISTORY = { attempts: 20_000, accounts: 4_000 }
/** A player's own attempts and a rank touch 200; a plan for empty tables thousands. */
const MAX_PAGES = 600
/** Everything the game writes, in an order in which it can be deleted. */
const TABLES = ['sessions', 'prizes', 'attempts', 'holds', 'flags', 'users', 'past_players']

let database: TestDatabase | undefined

beforeAll(async () => {
  database = await createTestDatabase()
})

afterAll(() => database?.drop())

/** Makes a game old under a node that is up, of which nothing tells the planner. */
async function growOld({ connection }: TestDatabase): Promise<void> {
  await withClient(connection, async client => {
    await client.query('set jit = off')
    for (const table of TABLES) await client.query(`delete from ${table}`)
    await loadUnseen(client, HISTORY)
  })
}

/** What is wrong with a statement, whatever the tables were like when it was planned. */
function faultsOf(statement: Explained): string[] {
  const steps = stepsOf(statement.plan)
  const whole = steps.filter(step => step['Node Type'] === 'Seq Scan')
  const faults = whole.map(step => `reads all of ${step['Relation Name']}`)
  // A nested loop looks up row by row.
  if (steps.some(step => /^(Merge|Hash) Join$/.test(step['Node Type']))) faults.push('joins whole tables')
  if (statement.compiled) faults.push('is compiled')
  if (pagesOf(statement) > MAX_PAGES) faults.push(`touches ${pagesOf(statement)} pages`)
  return faults.map(fault => `${fault}: ${statement.text}`)
}

test('what was planned while the game was new reads or joins no whole table of an old one, and nothing is compiled', async () => {
  if (!database) throw new Error('The database is there once the tests run')
  await withClient(database.connection, client => client.query('vacuum analyze'))
  const node = await Observed.open(database)
  node.useOneConnection()
  await node.pass('Somebody')
  await growOld(database)
  node.forget()
  await node.pass('Somebody else')
  await node.pass('Somebody new')
  await node.close()
  expect(node.plans.size).toBeGreaterThan(30)
  expect([...node.plans.values()].flatMap(faultsOf)).toEqual([])
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { withClient } from '../../tests/support/connect.ts'
import { createTestDatabase, type TestDatabase } from '../../tests/support/database.ts'
import { type HistorySize, loadHistory } from '../../tests/support/history.ts'
import { Observed, REGULAR } from '../../tests/support/observed.ts'
import { type Explained, type Plans, pagesOf, stepsOf } from '../../tests/support/plans.ts'

// With a quarter of it PostgreSQL may rather sort the few accounts that there are than follow an index.
const SMALL: HistorySize = { attempts: 20_000, accounts: 4_000 }
const LARGE: HistorySize = { attempts: 10 * SMALL.attempts, accounts: 10 * SMALL.accounts }
/**
 * Ten times the entries make an index one level deeper. Of what grows with the history there would be ten
 * times as much.
 */
const MAX_TIMES = 2
/**
 * A row of an update that finds no room on its page goes to another one, with its entries in two indexes: 8
 * pages.
 */
const MORE_PAGES = 50
/**
 * A rank is counted over a thousand entries of an index, and over as many accounts where a vacuum could not
 * finish.
 */
const PAGES_OF_RANK = 1_100
/** Forty attempts of each of several winners, each somewhere else in the table. */
const MAX_PAGES = 600
/** Until each statement has found PostgreSQL's caches warm once. */
const MAX_PASSES = 5
/** What a list of ours shows, and a little more. */
const MAX_SORTED = 50

let small: TestDatabase | undefined
let large: TestDatabase | undefined

async function makeOld(size: HistorySize): Promise<TestDatabase> {
  const database = await createTestDatabase()
  await withClient(database.connection, async client => {
    await loadHistory(client, size)
    // What somebody has won and not claimed is claimed once.
    await client.query('select claim_taps($1)', [REGULAR])
    // What was held when the planner looked is over by now, and other things are held: its statistics are
    // always old.
    await client.query(
      `update holds set held_until = now() - interval '1 minute' where held_until is not null`,
    )
    await client.query('analyze holds')
    await client.query(`update holds set held_until = now() + interval '1 hour' where held_until is not null`)
  })
  return database
}

beforeAll(async () => {
  small = await makeOld(SMALL)
  large = await makeOld(LARGE)
}, 120_000)

afterAll(async () => {
  await small?.drop()
  await large?.drop()
})

/** How many rows the greatest sort of a statement had to put in order. */
function sortedRows({ plan }: Explained): number {
  const sorts = stepsOf(plan).filter(step => step['Node Type'].includes('Sort'))
  return Math.max(0, ...sorts.map(({ Plans: [input] = [] }) => input?.['Actual Rows'] ?? 0))
}

/** What a statement may touch, by what it touched before. */
function mostPages(statement: Explained, before: Plans): number {
  if (statement.text.includes('as rank from users')) return PAGES_OF_RANK
  // How many winners one look is about is up to the clock.
  if (statement.text.includes('latest.spread')) return MAX_PAGES
  const pages = pagesOf(before.get(statement.text) ?? statement)
  return Math.min(pages * MAX_TIMES + MORE_PAGES, MAX_PAGES)
}

/** Every statement that does more with ten times the history. */
function outgrown(before: Plans, after: Plans): string[] {
  const bad = [...after.values()].filter(statement => {
    return pagesOf(statement) > mostPages(statement, before) || sortedRows(statement) > MAX_SORTED
  })
  return bad.map(statement => `${pagesOf(statement)} pages: ${statement.text}`)
}

test('with ten times the history no statement touches more pages, and none sorts what was played', async () => {
  if (!small || !large) throw new Error('The databases are there once the tests run')
  const [before, after] = await Promise.all([Observed.open(small), Observed.open(large)])
  let bad: string[] = []
  for (let number = 0; number < MAX_PASSES; number += 1) {
    const name = `Somebody ${'else '.repeat(number)}`.trim()
    await Promise.all([before.pass(name), after.pass(name)])
    bad = outgrown(before.plans, after.plans)
    if (number > 0 && bad.length === 0) break
  }
  await Promise.all([before.close(), after.close()])
  expect(after.plans.size).toBeGreaterThan(30)
  expect(bad).toEqual([])
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { withClient } from '../../tests/support/connect.ts'
import { createTestDatabase, type TestDatabase } from '../../tests/support/database.ts'
import { type HistorySize, loadHistory } from '../../tests/support/history.ts'
import { Observed, REGULAR } from '../../tests/support/observed.ts'
import { type Explained, type Plans, pagesOf, stepsOf } from '../../tests/support/plans.ts'

/** The small history, with enough accounts for the planner to prefer an index to a sort. */
const SMALL: HistorySize = { attempts: 20_000, accounts: 4_000 }
const LARGE: HistorySize = { attempts: 10 * SMALL.attempts, accounts: 10 * SMALL.accounts }
/** The allowed growth factor of the pages. An index with ten times the entries gains at most one level. */
const MAX_TIMES = 2
/** The pages allowed beyond the growth factor, for updated rows that outgrow their page. */
const MORE_PAGES = 50
/** The pages allowed for a rank: 1,000 index entries, and their rows if a vacuum could not finish. */
const PAGES_OF_RANK = 1_100
/** The most pages for any other statement. */
const MAX_PAGES = 600
/** The most passes over the endpoints; after five, every statement has run once with warm caches. */
const MAX_PASSES = 5
/** The most rows that a sort may have: the longest list that the game shows, with a margin. */
const MAX_SORTED = 50

let small: TestDatabase | undefined
let large: TestDatabase | undefined

async function createOldGame(size: HistorySize): Promise<TestDatabase> {
  const database = await createTestDatabase()
  await withClient(database.connection, async client => {
    await loadHistory(client, size)
    await client.query('select claim_taps($1)', [REGULAR])
    // Gives the planner outdated statistics, as in a real game: every hold seems to have expired.
    await client.query(
      `update holds set held_until = now() - interval '1 minute' where held_until is not null`,
    )
    await client.query('analyze holds')
    await client.query(
      `update holds set held_until = now() + interval '14 minutes' where held_until is not null`,
    )
  })
  return database
}

beforeAll(async () => {
  small = await createOldGame(SMALL)
  large = await createOldGame(LARGE)
}, 120_000)

afterAll(async () => {
  await small?.drop()
  await large?.drop()
})

/** Counts the rows in the largest sort of a statement. */
function sortedRows({ plan }: Explained): number {
  const sorts = stepsOf(plan).filter(step => step['Node Type'].includes('Sort'))
  return Math.max(0, ...sorts.map(({ Plans: [input] = [] }) => input?.['Actual Rows'] ?? 0))
}

/** Returns the most pages that a statement may touch, given the plans with the small history. */
function maxPages(statement: Explained, before: Plans): number {
  if (statement.text.includes('as rank from users')) return PAGES_OF_RANK
  const pages = pagesOf(before.get(statement.text) ?? statement)
  return Math.min(pages * MAX_TIMES + MORE_PAGES, MAX_PAGES)
}

/** Describes the statements that exceed their limits with ten times the history. */
function outgrown(before: Plans, after: Plans): string[] {
  const bad = [...after.values()].filter(statement => {
    return pagesOf(statement) > maxPages(statement, before) || sortedRows(statement) > MAX_SORTED
  })
  return bad.map(statement => `${pagesOf(statement)} pages: ${statement.text}`)
}

test('runs no statement that touches far more pages or sorts a long list when the history grows tenfold', async () => {
  if (!small || !large) throw new Error('beforeAll has not created the databases')
  const [before, after] = await Promise.all([Observed.open(small), Observed.open(large)])
  let bad: string[] = []
  for (let number = 0; number < MAX_PASSES; number += 1) {
    const name = `Player ${'again '.repeat(number)}`.trim()
    await Promise.all([before.pass(name), after.pass(name)])
    bad = outgrown(before.plans, after.plans)
    if (number > 0 && bad.length === 0) break
  }
  await Promise.all([before.close(), after.close()])
  expect(after.plans.size).toBeGreaterThan(30)
  expect(bad).toEqual([])
})

import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { CALLS } from '../../contract/api.ts'
import { hashSessionToken, newSessionToken } from '../identity/sessions.ts'
import { CheckedClient } from '../testing/checked-client.ts'
import { withClient } from '../testing/connect.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { startGame, type TestGame } from '../testing/game.ts'
import { type HistorySize, loadHistory } from '../testing/history.ts'
import { collectPlans, type Explained, explaining, pagesOf, stepsOf } from '../testing/plans.ts'
import { Viewer } from '../testing/viewer.ts'
import type { Connection } from './pool.ts'

const SMALL: HistorySize = { attempts: 20_000, accounts: 4_000 }
const LARGE: HistorySize = { attempts: 10 * SMALL.attempts, accounts: 10 * SMALL.accounts }
/** Ten times the entries make an index one level deeper. Of what grows with the history there would be ten times as much. */
const MAX_TIMES = 2
/** A row of an update that finds no room on its page goes to another one, with its entries in two indexes: 8 pages. */
const MORE_PAGES = 50
/** A rank is counted over a thousand entries of an index, and over as many accounts where a vacuum could not finish. */
const PAGES_OF_RANK = 1_100
/** Forty attempts of each of several winners, each somewhere else in the table. */
const MAX_PAGES = 600
/**
 * Pages of PostgreSQL's own catalogs count as well, and a connection reads them when it is new, and anew whenever another
 * test or a vacuum has made its caches void: the first claim of a connection touches 168 pages, the next one 11. What comes
 * with the history comes in every pass.
 */
const MAX_PASSES = 5
/** What a list of ours shows, and a little more. */
const MAX_SORTED = 50
const PASSWORD = 'correct horse battery'
/** Who has played most. */
const REGULAR = 1

let small: TestDatabase | undefined
let large: TestDatabase | undefined

async function makeOld(size: HistorySize): Promise<TestDatabase> {
  const database = await createTestDatabase()
  await withClient(database.connection, async client => {
    await loadHistory(client, size)
    // What somebody has won and not claimed is claimed once.
    await client.query('select claim_taps($1)', [REGULAR])
    // What was held when the planner looked is over by now, and other things are held: its statistics are always old.
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

/** A browser that is signed in to the account with the most attempts. */
async function signedInRegular(node: TestGame, connection: Connection): Promise<CheckedClient> {
  const token = newSessionToken()
  await withClient(connection, client =>
    client.query(`insert into sessions (token_hash, user_id, expires_at) values ($1, $2, now() + '1 hour')`, [
      hashSessionToken(token),
      REGULAR,
    ]),
  )
  const browser = new CheckedClient(node.url)
  browser.cookies.set('taps-session', token)
  return browser
}

/** Asks for everything that can be asked for, as somebody new and as the regular. */
async function askForEverything(node: TestGame, regular: CheckedClient, name: string): Promise<void> {
  const newcomer = new CheckedClient(node.url)
  const { round } = await newcomer.session()
  const missed = await newcomer.play(round, 500)
  await newcomer.play(missed.body.round, 0)
  await newcomer.session()
  await newcomer.createAccount(name, PASSWORD)
  for (const client of [newcomer, regular]) {
    const session = await client.session()
    await client.play(session.round, 20)
    await client.get('/api/attempts/mine')
    await client.post('/api/claim')
    await client.session()
  }
  for (const path of ['/api/attempts', '/api/leaderboard', '/api/prize-pool', '/readyz']) {
    await regular.get(path)
  }
  await newcomer.post('/api/logout')
  await newcomer.login(name, PASSWORD)
  await newcomer.post('/api/password', { password: PASSWORD, new_password: `${PASSWORD}!` })
  await newcomer.post('/api/users/delete', { password: `${PASSWORD}!` })
}

/** What each statement did; functions that only call others are looked at inside. */
type Plans = Map<string, Explained>

/** A node on an old game that tells how each of its statements was carried out. */
interface ExplainedNode {
  /** The least that each statement has touched in a pass. */
  readonly plans: Plans
  /** Asks it for everything, and waits for what it does by itself. */
  pass(number: number): Promise<void>
  close(): Promise<void>
}

async function openExplained({ connection }: TestDatabase): Promise<ExplainedNode> {
  await withClient(connection, async client => {
    for (const setting of await explaining(client)) await client.query(setting)
  })
  const node = await startGame(connection)
  const explained = collectPlans(node.services.database)
  const regular = await signedInRegular(node, connection)
  const viewer = await Viewer.open(node.url)
  const has = (words: string) => explained.some(({ text }) => text.includes(words))
  const plans: Plans = new Map()
  return {
    plans,
    async pass(number) {
      await askForEverything(node, regular, `Somebody ${'else '.repeat(number)}`.trim())
      // The server asks these on its own, every second and after a win.
      await vi.waitUntil(
        () => has('from holds where held_until <= now() order by') && has('latest.differences'),
        { timeout: 15_000 },
      )
      keepLeast(plans, mostOf(explained.splice(0).filter(touchesTables)))
    },
    async close() {
      const figures = await node.services.metrics.registry.metrics()
      for (const { url } of Object.values(CALLS)) expect(figures).toContain(`route="${url}"`)
      await viewer.close()
      await node.close()
    },
  }
}

/** What each statement did at most: some who ask have played much more than others. */
function mostOf(explained: readonly Explained[]): Plans {
  const plans: Plans = new Map()
  for (const statement of explained) {
    const most = plans.get(statement.text)
    if (!most || pagesOf(most) < pagesOf(statement)) plans.set(statement.text, statement)
  }
  return plans
}

function keepLeast(plans: Plans, pass: Plans): void {
  for (const [text, statement] of pass) {
    const least = plans.get(text)
    if (!least || pagesOf(statement) < pagesOf(least)) plans.set(text, statement)
  }
}

function touchesTables({ plan }: Explained): boolean {
  return stepsOf(plan).some(step => step['Relation Name'] !== undefined)
}

/** How many rows the greatest sort of a statement had to put in order. */
function sortedRows({ plan }: Explained): number {
  const sorts = stepsOf(plan).filter(step => step['Node Type'].includes('Sort'))
  return Math.max(0, ...sorts.map(({ Plans: [input] = [] }) => input?.['Actual Rows'] ?? 0))
}

/** What a statement may touch, by what it touched before. */
function mostPages(statement: Explained, before: Plans): number {
  if (statement.text.endsWith('as ahead')) return PAGES_OF_RANK
  // How many winners one look is about is up to the clock.
  if (statement.text.includes('latest.differences')) return MAX_PAGES
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
  const [before, after] = await Promise.all([small, large].map(openExplained))
  if (!before || !after) throw new Error('Both are open')
  let bad: string[] = []
  for (let number = 0; number < MAX_PASSES; number += 1) {
    await Promise.all([before.pass(number), after.pass(number)])
    bad = outgrown(before.plans, after.plans)
    if (number > 0 && bad.length === 0) break
  }
  await Promise.all([before.close(), after.close()])
  expect(after.plans.size).toBeGreaterThan(30)
  expect(bad).toEqual([])
})

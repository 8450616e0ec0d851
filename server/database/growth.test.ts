import { afterAll, beforeAll, expect, test } from 'vitest'
import { ENDPOINTS } from '../../contract/api.ts'
import { RANK_LIMIT } from '../../contract/rules.ts'
import { CheckedClient } from '../../tests/support/checked-client.ts'
import { withClient } from '../../tests/support/connect.ts'
import { createTestDatabase, type TestDatabase } from '../../tests/support/database.ts'
import { startGame } from '../../tests/support/game.ts'
import { loadHistory } from '../../tests/support/growth-history.ts'
import { Viewer } from '../../tests/support/viewer.ts'
import { hashSessionToken, newSessionToken } from '../people/sessions.ts'
import { expireHolds } from '../play/prizes.ts'
import { TODAY, today } from '../play/today.ts'
import { SETTINGS } from './connection.ts'

/** The number of attempts and accounts in the history: far more than any request may read. */
const HISTORY = { attempts: 100_000, accounts: 20_000 }
/** The id of the account with the most attempts. */
const REGULAR = 1
const PASSWORD = 'correct horse battery'
/** The most rows and index entries of one table that all requests of the test together may read. */
const MOST_READ = 3 * RANK_LIMIT

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
  await withClient(database.connection, async client => {
    await loadHistory(client, HISTORY)
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
}, 120_000)

afterAll(() => database?.drop())

/** Returns the rows and index entries that all ended connections have read, by table. */
function readRows(): Promise<Map<string, number>> {
  return withClient(database.connection, async client => {
    const { rows } = await client.query<{ name: string; read: number }>(`
      select relname as name, (seq_tup_read + coalesce(sum(idx_tup_read), 0))::integer as read
      from pg_stat_user_tables left join pg_stat_user_indexes using (relid, relname) group by relname, seq_tup_read`)
    return new Map(rows.map(({ name, read }) => [name, read]))
  })
}

test('no request reads a number of rows that grows with the history', async () => {
  const before = await readRows()
  const node = await startGame(database.connection)
  const viewer = await Viewer.open(node.url)
  await callEveryEndpoint(node.url, await logInRegular(node.url))
  await expireHolds(node.app.database, 15)
  const figures = await node.app.metrics.registry.metrics()
  for (const { url } of Object.values(ENDPOINTS)) expect(figures).toContain(`route="${url}"`)
  await viewer.close()
  await node.close()

  const after = await readRows()
  const read = Array.from(after, ([table, rows]) => [table, rows - (before.get(table) ?? 0)] as const)
  expect(new Map(read).get('attempts')).toBeGreaterThan(0)
  expect(read.filter(([, rows]) => rows > MOST_READ)).toEqual([])
})

test("today's list reads its ten hands and the better ones of banned and deleted players, in the index's order", async () => {
  const [banned, deleted] = [3, 4]
  await withClient(database.connection, async client => {
    // Every player has a hand; who played first has the best.
    await client.query('delete from hands')
    await client.query(
      `insert into hands (day, player, sum, attempt_id)
      select (now() at time zone 'UTC')::date, player, min(id), min(id) from attempts group by player`,
    )
    const best = `select player from hands order by sum, attempt_id`
    await client.query(`insert into past_players ${best} limit ${deleted}`)
    await client.query(
      `update users set banned_at = now() where player in (
        select player from hands join users using (player) where player not in (select player from past_players)
        order by sum, attempt_id limit ${banned})`,
    )
    await client.query('analyze hands')
  })
  const before = await readRows()
  const { hands, plan } = await withClient(database.connection, async client => {
    await client.query(SETTINGS)
    const { today: hands } = await today(client, name => name)
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${TODAY}`)
    return { hands, plan: rows.map(row => row['QUERY PLAN']).join('\n') }
  })
  expect(hands).toHaveLength(10)
  const read = (await readRows()).get('hands') ?? 0
  expect(read - (before.get('hands') ?? 0)).toBe(10 + banned + deleted)
  expect(plan).not.toMatch(/Sort|Seq Scan/)
})

async function logInRegular(url: string): Promise<CheckedClient> {
  const token = newSessionToken()
  const session = [hashSessionToken(token), REGULAR]
  await withClient(database.connection, client =>
    client.query(
      "insert into sessions (token_hash, user_id, expires_at) values ($1, $2, now() + '1 hour')",
      session,
    ),
  )
  const browser = new CheckedClient(url)
  browser.cookies.set('taps-session', token)
  return browser
}

async function callEveryEndpoint(url: string, regular: CheckedClient): Promise<void> {
  const newcomer = new CheckedClient(url)
  await play(newcomer, 500)
  await play(newcomer, 0)
  await newcomer.createAccount('Newcomer', PASSWORD)
  for (const client of [newcomer, regular]) {
    await play(client, 20)
    await client.get('/api/attempts/mine')
    await client.post('/api/claim')
    await client.session()
  }
  for (const path of ['/api/attempts', '/api/leaderboard', '/api/today', '/api/prize-pool', '/readyz']) {
    await regular.get(path)
  }
  await newcomer.post('/api/logout')
  await newcomer.login('Newcomer', PASSWORD)
  await newcomer.post('/api/password', { password: PASSWORD, new_password: `${PASSWORD}!` })
  await newcomer.post('/api/users/delete', { password: `${PASSWORD}!` })
}

async function play(client: CheckedClient, differenceMs: number): Promise<void> {
  expect((await client.play(differenceMs)).status).toBe(201)
}

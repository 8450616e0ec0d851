import { mkdtempSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import type { AttemptList, Leaderboard, PrizePool, Today } from '../../contract/api.ts'
import { LIVE_PARTS } from '../../contract/live.ts'
import { HIDDEN_NAME } from '../../contract/name.ts'
import { until } from '../../tests/support/until.ts'
import { Viewer } from '../../tests/support/viewer.ts'
import { openWorld } from '../../tests/support/world.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'taps-masks-'))
const world = openWorld({ dataDir })
const PASSWORD = 'correct horse battery'
afterAll(() => rm(dataDir, { recursive: true }))

/** Replaces the operator's list of refused words, and lets the live stream read again. */
async function refuse(...words: string[]): Promise<void> {
  await writeFile(join(dataDir, 'refused-words.txt'), words.join('\n'))
  await world.game.app.names.reread()
  await world.sql('update prize_pool set boards = boards + 1')
}

/** Creates a user who has claimed a prize and is on both lists. */
async function winner(username: string) {
  const client = world.newcomer()
  await client.createAccount(username, PASSWORD)
  const { body } = await client.play(0)
  await world.sql(
    `insert into hands (day, player, sum, attempt_id)
    select (now() at time zone 'UTC')::date, player, 0, id from attempts where id = $1`,
    [body.attempt.id],
  )
  await client.post('/api/claim')
  return client
}

const get = async <Body>(path: string) => (await world.newcomer().get<Body>(path)).body

async function readBoards() {
  const [feed, board, pool, day] = await Promise.all([
    get<AttemptList>('/api/attempts'),
    get<Leaderboard>('/api/leaderboard'),
    get<PrizePool>('/api/prize-pool'),
    get<Today>('/api/today'),
  ])
  return {
    feed: feed.attempts.map(({ username }) => username),
    board: board.leaderboard.map(({ username }) => username),
    lastWin: pool.last_win?.username,
    today: day.today.map(({ username }) => username),
  }
}

test("masks names on boards and in live streams while the operator's list contains a matching word", async () => {
  await refuse()
  await winner('First')
  const client = await winner('Vile Otter')
  const viewer = await Viewer.open(world.game.url)
  onTestFinished(() => viewer.close())
  const seen = () => LIVE_PARTS.map(part => JSON.stringify(viewer.latest(part) ?? null))
  const shown = {
    feed: ['Vile Otter', 'First'],
    board: ['First', 'Vile Otter'],
    lastWin: 'Vile Otter',
    today: ['First', 'Vile Otter'],
  }
  expect(await readBoards()).toEqual(shown)
  await until('the name in all parts', () => seen().every(body => body.includes('Vile Otter')))

  await refuse('vile')
  const masked = {
    feed: [HIDDEN_NAME, 'First'],
    board: ['First', HIDDEN_NAME],
    lastWin: HIDDEN_NAME,
    today: ['First', HIDDEN_NAME],
  }
  expect(await readBoards()).toEqual(masked)
  await until('the mask in all parts', () => seen().every(body => body.includes(HIDDEN_NAME)))
  expect(seen().join()).not.toContain('Vile Otter')
  expect(await client.session()).toMatchObject({ user: { username: 'Vile Otter' }, rank: 2 })

  await refuse()
  expect(await readBoards()).toEqual(shown)
  await until('the name in all parts', () => seen().every(body => body.includes('Vile Otter')))
})

test('shows players their own name after Stop and in their attempts, even when boards mask it', async () => {
  await refuse()
  const client = await winner('Rude Otter')
  await refuse('rude')
  const { body } = await client.play(500)
  expect(body.attempt.username).toBe('Rude Otter')
  const { attempts } = (await client.get<AttemptList>('/api/attempts/mine')).body
  expect(attempts.map(({ username }) => username)).toEqual(['Rude Otter', 'Rude Otter'])
  expect((await readBoards()).feed[0]).toBe(HIDDEN_NAME)
})

import type { Session } from '../../contract/api.ts'
import { CALM_MS } from '../../web/components/hooks/useSettled.ts'
import { Client } from '../support/client.ts'
import { PASSWORD, type Player } from '../support/page-player.ts'
import { playRounds } from './crowd.ts'
import { expect, test } from './test.ts'

test('pool, attempts and leaderboard update live in a second browser', async ({ player, visit }) => {
  const viewer = await visit()
  await viewer.open()
  const pool = await viewer.pool()
  await player.username.fill('Watched Otter')
  await player.play(612)
  await viewer.expectPool(pool + 1)
  await expect(viewer.attempts.first()).toContainText('Watched Otter')
  await expect(viewer.attempts.first()).toContainText('+0.612 s')
  await expect(viewer.attempts.first()).toContainText(/\d\.\d\d s for \d\.\d\d s/)
  await expect(viewer.attempts.first().getByText('guest', { exact: true })).toBeVisible()

  const won = await player.win(-71)
  await viewer.expectPool(0)
  await expect(viewer.attempts.first()).toContainText('−0.071 s')
  await expect(viewer.attempts.first()).toContainText(`won ${won}`)
  await expect(viewer.region('Prize pool')).toContainText(`Watched Otter guest won ${won} TAPS, just now`)
  await expect(viewer.attempts.nth(1)).not.toContainText('won')

  const name = `Winner ${process.pid}`
  await player.username.fill(name)
  await player.password.fill(PASSWORD)
  await player.button(`Create account & claim ${won} TAPS`).click()
  await expect(viewer.ranks.filter({ hasText: name })).toHaveText(new RegExp(`${name}${won}$`))
  await player.play(307)
  await expect(viewer.attempts.first()).toContainText(name)
  await expect(viewer.attempts.first().getByText('guest', { exact: true })).toHaveCount(0)
})

/** Replaces the page's live stream and clock, so that the test controls both. */
const STREAM = `
  globalThis.EventSource = class extends EventTarget {
    constructor() {
      super()
      globalThis.stream = this
    }
    close() {}
  }
  globalThis.send = (part, body) => stream.dispatchEvent(new MessageEvent(part, { data: JSON.stringify(body) }))
  globalThis.feed = newest => send('attempts', {
    attempts: [0, 1, 2, 3, 4].map(age => ({
      id: newest - age, username: 'Player ' + (newest - age), is_guest: true, target_time: 2, actual_time: 2.4,
      difference: 0.4, taps_added: 1, claimed: false, verified: age > 0, won_taps: null, created_at: '2026-01-01T00:00:00Z',
    })),
  })
  globalThis.pool = (taps, last_win = null) => send('prize_pool', { taps, last_win })
  globalThis.winOf = username => ({ username, is_guest: true, won_taps: 40, created_at: new Date(now).toISOString() })
  globalThis.feedWin = id => send('attempts', { attempts: [{
    id, username: 'Player ' + id, is_guest: true, target_time: 2, actual_time: 2.03, difference: 0.03, taps_added: 1,
    claimed: false, verified: true, won_taps: 40, created_at: '2026-01-01T00:00:00Z',
  }] })
  globalThis.ranks = balances => send('leaderboard', {
    leaderboard: balances.map((taps_balance, place) => ({ username: 'Rank ' + (place + 1), taps_balance })),
  })
  globalThis.moving = () => document.getAnimations().filter(({ effect: { target } }) => target.matches(".row")).length
  let now = 0
  performance.now = () => now
  const nextFrame = requestAnimationFrame
  globalThis.requestAnimationFrame = callback => nextFrame(() => callback(now))
  globalThis.pass = ms => { now += ms }
  globalThis.frame = () => new Promise(requestAnimationFrame)
`

test('board rows slide after a quiet time, jump during rapid changes, and never fade or overlap', async ({
  visit,
}) => {
  const player = await visit()
  const { page } = player
  await page.addInitScript(STREAM)
  await player.open()
  await page.evaluate('feed(10), pool(40)')
  await expect(player.attempts).toHaveCount(5)
  await expect(player.attempts.filter({ hasText: 'not verified' })).toHaveCount(1)

  const calm = await page.evaluate<number>(`pass(${CALM_MS}), feed(11), pool(41), frame().then(moving)`)
  expect(calm, 'rows are moving').toBeGreaterThan(0)

  const seen = await page.evaluate<{ moving: number; faint: number; over: number }>(`(async () => {
    const seen = { moving: 0, faint: 0, over: 0 }
    pool(42)
    for (let change = 1; change <= 30; change += 1) {
      pass(50)
      feed(11 + change)
      pool(42 + 7 * change)
      await frame()
      await frame()
      const rows = Array.from(document.querySelectorAll('.attempt'), row => row.getBoundingClientRect())
      const tops = rows.map(({ top }) => top).sort((a, b) => a - b)
      if (change > 1) seen.moving = Math.max(seen.moving, moving())
      seen.over += tops.filter((top, index) => index > 0 && top - tops[index - 1] < rows[0].height - 1).length
      const shown = document.querySelectorAll('.pool-taps, .attempt, .attempt *')
      seen.faint += Array.from(shown).filter(one => getComputedStyle(one).opacity !== '1').length
    }
    return seen
  })()`)
  expect(seen).toEqual({ moving: 0, faint: 0, over: 0 })
  await expect(player.region('Prize pool')).toContainText('252')
})

/** The width of placeholder bars. */
const BARS = /^62%/

test('boards show placeholder bars while loading and a sentence when empty', async ({ visit }) => {
  const player = await visit()
  const { page } = player
  await page.addInitScript(STREAM)
  await player.open()
  const boards = [player.region('Leaderboard'), player.region('Recent attempts')]
  for (const board of boards) await expect(board.getByRole('list')).toHaveCSS('background-size', BARS)
  await page.evaluate("send('leaderboard', { leaderboard: [] }), send('attempts', { attempts: [] }), pool(1)")
  for (const board of boards) await expect(board.getByRole('list')).not.toHaveCSS('background-size', BARS)
  for (const board of boards) await expect(board.getByRole('listitem')).toHaveCount(0)
  await expect(page.getByText('No one here yet. Claim a prize to be first.')).toBeVisible()
  await expect(page.getByText('No attempts yet. Yours would be the first.')).toBeVisible()
  await expect(player.region('Prize pool')).toContainText('every try adds 1')
  await page.evaluate('pool(2)')
  await expect(player.region('Prize pool')).not.toContainText('every try adds')
})

test('boards are polled every five seconds and marked "reconnecting" when the stream is silent', async ({
  visit,
  player: other,
}) => {
  const player = await visit()
  const { page } = player
  // Simulates a proxy that buffers the stream: the stream neither opens nor fails.
  await page.addInitScript(STREAM)
  await page.clock.install()
  await player.open()
  const pool = await other.pool()
  await other.username.fill('Polled Otter')
  await other.play(640)
  await page.clock.runFor(5_000)
  await player.expectPool(pool + 1)
  await expect(player.attempts.first()).toContainText('Polled Otter')
  await expect(page.getByText('reconnecting', { exact: true })).toBeVisible()
})

test("the leaderboard marks the user's row, even with a masked name, or adds the user's rank below", async ({
  visit,
}) => {
  const player = await visit()
  const { page } = player
  await page.addInitScript(STREAM)
  let [taps_balance, rank] = [0, 14]
  await player.changeAnswers<Session>('**/api/session', session => {
    const user = { id: 1, username: 'ola', taps_balance }
    return { ...session, user, rank }
  })
  await player.open()
  const board = player.region('Leaderboard')
  await page.evaluate("send('leaderboard', { leaderboard: [{ username: 'mira', taps_balance: 402 }] })")
  await expect(board).toContainText('mira402')
  await expect(board).not.toContainText('Your rank')
  taps_balance = 3
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
  await expect(player.ranks.last()).toHaveText('Your rank: 14ola3')
  rank = 3
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
  await expect(player.ranks.last()).toHaveText('Your rank: 3ola3')
  await page.evaluate(`send('leaderboard', { leaderboard: [402, 9, 3, 1].map((taps_balance, place) => (
    { username: place === 0 ? 'mira' : 'Hidden player', taps_balance }
  )) })`)
  await expect(board).not.toContainText('Your rank')
  await expect(board.locator('[data-kind="own"]')).toHaveText('3Hidden player3')
})

const FULL = [39, 33, 27, 21, 18, 12, 10, 8, 6, 4]

test('the leaderboard previews a claim as a dashed row, and shows a solid row after the claim', async ({
  visit,
}) => {
  const player = await visit()
  const { page } = player
  await page.addInitScript(STREAM)
  let sessionFields: object = { prize: { taps: 20, held_until: '2026-01-01T00:00:00Z', held_seconds: 600 } }
  await player.changeAnswers<Session>('**/api/session', session => ({ ...session, ...sessionFields }))
  await page.goto('/')
  await expect(player.wonHeading).toBeVisible()
  const dashed = player.region('Leaderboard').locator('[data-kind="claim"]')
  await page.evaluate('ranks([39, 33, 27, 21, 21, 21, 21, 21, 21, 21])')
  await expect(player.ranks).toHaveCount(10)
  await expect(dashed, 'the claim would not reach the top ten').toHaveCount(0)
  await page.evaluate(`ranks(${JSON.stringify(FULL)})`)
  const name = await page.evaluate<string>("JSON.parse(localStorage.getItem('game-user')).username")
  await expect(dashed).toHaveText(`5${name}if you claim20`)
  await expect(player.ranks).toHaveCount(10)
  await player.settleClaim()
  await page.getByRole('tab', { name: 'Sign in' }).click()
  await expect(dashed).toHaveCount(0)
  await page.getByRole('tab', { name: 'Create account' }).click()
  await expect(dashed).toHaveCount(1)

  const user = { id: 1, username: name, taps_balance: 20 }
  await page.route('**/api/users', route =>
    route.fulfill({
      status: 201,
      json: { user: { ...user, taps_balance: 0 }, prize: { taps: 20 }, round: ROUND },
    }),
  )
  await page.route('**/api/claim', route => {
    sessionFields = { user, rank: 5 }
    return route.fulfill({ json: { taps: 20, user } })
  })
  await player.password.fill(PASSWORD)
  await player.button('Create account & claim 20 TAPS').click()
  await expect(player.startButton).toBeVisible()
  const own = player.region('Leaderboard').locator('[data-kind="own"]')
  await expect(own, "the user's row before the leaderboard is updated").toHaveText(`5${name}20`)
  await page.evaluate(`send('leaderboard', { leaderboard: [{ username: '${name}', taps_balance: 20 }] })`)
  await expect(own).toHaveText(`1${name}20`)
  await expect(player.ranks).toHaveCount(1)
})

const ROUND = { token: 'token', target_time: 2 }

test('the pool counts down with a gold sweep when another player wins, except during a run', async ({
  visit,
}) => {
  const player = await visit()
  const { page } = player
  await page.addInitScript(STREAM)
  await player.open()
  await page.evaluate('pool(40), feed(10)')
  const swept = page.locator('.sweep')
  const region = player.region('Prize pool')
  await expect(swept).toHaveCount(0)
  await page.evaluate(`pass(${CALM_MS}), pool(0, winOf('Other')), feedWin(11)`)
  await expect(swept.first()).toContainText('Other')
  await expect(swept.nth(1)).toContainText('won 40')
  await expect(region.getByText('40', { exact: true })).toBeVisible()
  await page.evaluate('pass(300)')
  await expect(region.getByText('5', { exact: true }), 'the pool is still counting down').toBeVisible()
  await page.evaluate('pass(300)')
  await expect(region.getByText('0', { exact: true })).toBeVisible()

  await page.evaluate(`pool(50, winOf('Other')), pass(${CALM_MS})`)
  await page.keyboard.press('Space')
  await expect(player.stopButton).toBeVisible()
  await page.evaluate(`pass(${CALM_MS}), pool(0, winOf('Third')), feedWin(12)`)
  await expect(region).toContainText('Third')
  await expect(region.getByText('0', { exact: true })).toBeVisible()
  await expect(swept).toHaveCount(0)
})

/** Opens the page with an address that other machines can reach. */
async function openJoinable(player: Player, script: string): Promise<void> {
  await player.page.addInitScript(script)
  await player.page.route('/', async route => {
    const response = await route.fetch()
    const meta = '<meta name="join" content="https://taps.example.org"></head>'
    await route.fulfill({ response, body: (await response.text()).replace('</head>', meta) })
  })
  await player.open()
}

test('invites a rival until another player has played', async ({ ownServer: { url }, visit }) => {
  const player = await visit({ baseURL: url })
  await openJoinable(
    player,
    `Object.defineProperty(navigator, 'clipboard', {
      value: { writeText: async text => { globalThis.copied = text } },
    })`,
  )
  const invitation = player.page.getByText('First one here. Send this to a rival')
  await player.play(612)
  await expect(player.attempts).toHaveCount(1)
  await player.button('Copy link').click()
  await expect(player.page.getByText('Copied', { exact: true })).toBeVisible()
  expect(await player.page.evaluate('copied')).toBe('https://taps.example.org/')
  await expect(invitation).toBeVisible()
  await playRounds(new Client(url), [612])
  await expect(invitation).toBeHidden()
})

test('without a clipboard, selects the address in the invitation', async ({ ownServer: { url }, visit }) => {
  const player = await visit({ baseURL: url })
  await openJoinable(player, 'delete Navigator.prototype.clipboard')
  await player.page.getByRole('textbox', { name: 'Address of the game' }).focus()
  expect(await player.page.evaluate('getSelection().toString()')).toBe('https://taps.example.org/')
})

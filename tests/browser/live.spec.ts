import { CALM_MS } from '../../web/components/useSettled.ts'
import { PASSWORD } from '../support/page-player.ts'
import { expect, test } from './test.ts'

test('a second browser sees pool, attempts and leaderboard move by themselves', async ({ player, visit }) => {
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

/** The page's live stream, controlled by a test. */
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
  globalThis.pool = taps => send('prize_pool', { taps, last_win: null })
  globalThis.moving = () => document.getAnimations().filter(({ effect: { target } }) => target.matches(".row")).length
  let now = 0
  performance.now = () => now
  globalThis.pass = ms => { now += ms }
  globalThis.frame = () => new Promise(requestAnimationFrame)
`

test('one change after a quiet time moves, more of them are there at once, and nothing ever fades or overlaps', async ({
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
  expect(calm, 'rows and the amount are on their way').toBeGreaterThan(0)

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

test('bars say that a board is on its way, and a sentence that nobody is on it', async ({ visit }) => {
  const player = await visit()
  const { page } = player
  await page.addInitScript(STREAM)
  await player.open()
  const boards = [player.region('Leaderboard'), player.region('Recent attempts')]
  for (const board of boards) await expect(board.getByRole('list')).toHaveCSS('background-image', /gradient/)
  await page.evaluate("send('leaderboard', { leaderboard: [] }), send('attempts', { attempts: [] }), pool(1)")
  for (const board of boards) await expect(board.getByRole('list')).toHaveCSS('background-image', 'none')
  for (const board of boards) await expect(board.getByRole('list')).toHaveCSS('height', '0px')
  await expect(page.getByText('No one here yet. Claim a prize to be first.')).toBeVisible()
  await expect(page.getByText('No attempts yet. Yours would be the first.')).toBeVisible()
  await expect(player.region('Prize pool')).toContainText('every try adds 1')
  await page.evaluate('pool(2)')
  await expect(player.region('Prize pool')).not.toContainText('every try adds')
})

test('boards that no stream reaches are asked for every five seconds, and say that they are not live', async ({
  visit,
  player: other,
}) => {
  const player = await visit()
  const { page } = player
  // A proxy that holds the stream back: it neither opens nor fails.
  await page.addInitScript(STREAM)
  await page.clock.install()
  await player.open()
  const pool = await other.pool()
  await other.username.fill('By Asking')
  await other.play(640)
  await page.clock.runFor(5_000)
  await player.expectPool(pool + 1)
  await expect(player.attempts.first()).toContainText('By Asking')
  await expect(page.getByText('reconnecting', { exact: true })).toBeVisible()
})

test('a user sees the own rank below the board, once there are TAPS, and the own row on it, masked or not', async ({
  visit,
}) => {
  const player = await visit()
  const { page } = player
  await page.addInitScript(STREAM)
  let [taps_balance, rank] = [0, 14]
  await page.route('**/api/session', async route => {
    const response = await route.fetch()
    const user = { id: 1, username: 'ola', taps_balance }
    await route.fulfill({ response, json: { ...(await response.json()), user, rank } })
  })
  await player.open()
  const board = player.region('Leaderboard')
  await page.evaluate("send('leaderboard', { leaderboard: [{ username: 'mira', taps_balance: 402 }] })")
  await expect(board).toContainText('mira402')
  await expect(board).not.toContainText('Your rank')
  taps_balance = 3
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
  await expect(board).toContainText('Your rank: 14')
  rank = 3
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
  await expect(board).toContainText('Your rank: 3')
  await page.evaluate(`send('leaderboard', { leaderboard: [402, 9, 3, 1].map((taps_balance, place) => (
    { username: place === 0 ? 'mira' : 'Hidden player', taps_balance }
  )) })`)
  await expect(board).not.toContainText('Your rank')
  await expect(board.locator('[data-own="true"]')).toHaveText('3Hidden player3')
})

import type { Session } from '../../contract/api.ts'
import { CALM_MS } from '../../web/components/hooks/useSettled.ts'
import { Client } from '../support/client.ts'
import { PASSWORD } from '../support/page-player.ts'
import { newName } from './accounts.ts'
import { playRounds } from './crowd.ts'
import { collectShared, firstShared } from './sharing.ts'
import { expect, test } from './test.ts'

test('pool, attempts and leaderboard update live in a second browser, whatever its clock says', async ({
  player,
  visit,
  server,
}) => {
  await playRounds(new Client(server.url), [400, 400, 400, 400])
  const viewer = await visit()
  await viewer.page.addInitScript('{ const now = Date.now; Date.now = () => now() + 2 * 86_400_000 }')
  await viewer.open()
  await viewer.play(141)
  const pool = await viewer.pool()
  await player.username.fill('Watched Otter')
  await player.play(612)
  await viewer.expectPool(pool + 1)
  const result = viewer.region('Result')
  await expect(result, 'the pool at Stop').toContainText(`0.041 s short of ${pool} TAPS`)
  await expect(viewer.attempts.first()).toContainText('Watched Otter')
  await expect(viewer.attempts.first()).toContainText('+0.612 s')
  await expect(viewer.attempts.first()).toContainText(/\d\.\d\d s for \d\.\d\d s/)
  await expect(viewer.attempts.first().getByText('guest', { exact: true })).toBeVisible()

  const won = await player.win(-71)
  await viewer.expectPool(0)
  const taken = result.getByText(`Watched Otter just took the ${won} TAPS`)
  await expect(taken).toBeVisible()
  await viewer.button('Login').click()
  await viewer.button('Cancel').click()
  await expect(taken, 'the line belongs to the round').toBeVisible()
  await expect(viewer.attempts.first()).toContainText('−0.071 s')
  await expect(viewer.attempts.first()).toContainText(`won ${won}`)
  await expect(viewer.region('Prize pool')).toContainText(`Watched Otter guest won ${won} TAPS, just now`)
  await expect(viewer.attempts.nth(1)).not.toContainText('won')

  const name = newName()
  const row = (kind: string) => player.region('Leaderboard').locator(`[data-kind="${kind}"]`)
  await expect(row('claim')).toHaveText(`1Watched Otterif you claim${won}`)
  await player.pressInClaim('Sign in', 'tab')
  await expect(row('claim')).toHaveCount(0)
  await player.pressInClaim('Create account', 'tab')
  await player.username.fill(name)
  await player.password.fill(PASSWORD)
  await player.pressInClaim(`Create account & claim ${won} TAPS`)
  await expect(row('own')).toHaveText(`1${name}${won}`)
  await expect(row('claim')).toHaveCount(0)
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

/** Where the rows of the leaderboard begin to move, from top to bottom, and what hides a part of a row. */
const RANKS = `(() => {
  for (const motion of document.getAnimations()) motion.currentTime = 0
  const { top, height } = document.querySelector('.ranks').getBoundingClientRect()
  return Array.from(document.querySelectorAll('.rank'), row => {
    const place = (row.getBoundingClientRect().top - top) / (height / 10)
    return row.querySelector('.name').textContent + ' ' + Math.round(place) + ' ' + getComputedStyle(row).clipPath
  })
})()`

test('an overtaken row of the leaderboard stays in view, in the main view and while a claim is offered', async ({
  visit,
}) => {
  const player = await visit()
  const { page } = player
  await page.addInitScript(STREAM)
  const lead = (names: string) =>
    page.evaluate(`send('leaderboard', {
      leaderboard: ${JSON.stringify(names)}.split(' ').map((username, place) => ({ username, taps_balance: 9 - place })),
    }), pass(${CALM_MS})`)
  await player.open()
  await lead('ann bea cleo')
  await expect(player.ranks).toHaveCount(3)
  await player.settle()
  await lead('cleo ann bea')
  const [cleo, ...overtaken] = await page.evaluate<string[]>(`frame().then(() => ${RANKS})`)
  expect(cleo, 'still rises').toBe('cleo 2 none')
  expect(overtaken).toEqual(['ann 1 none', 'bea 2 none'])

  await player.changeAnswers<Session>('**/api/session', session => ({
    ...session,
    prize: { taps: 9, held_until: '2026-01-01T00:00:00Z', held_seconds: 900 },
  }))
  await page.reload()
  await expect(player.wonHeading).toBeVisible()
  await lead('ann bea')
  await expect(player.ranks.nth(1)).toContainText('if you claim')
  await player.settle()
  await lead('bea ann')
  const [, claim, ann] = await page.evaluate<string[]>(`frame().then(() => ${RANKS})`)
  expect(claim, 'unfolds only once').toMatch(/ 1 none$/)
  expect(ann).toBe('ann 2 none')
})

test('the rank after a claim is described once, whatever happens on the leaderboard', async ({ visit }) => {
  const player = await visit()
  const { page } = player
  const result = player.region('Result')
  const user = { id: 1, username: 'ada', taps_balance: 9 }
  await page.addInitScript(STREAM)
  await player.changeAnswers<Session>('**/api/session', session => ({
    ...{ ...session, user: { ...user, taps_balance: 0 }, rank: 14 },
    prize: { taps: 9, held_until: null, held_seconds: null },
  }))
  await page.route('**/api/claim', route => route.fulfill({ json: { taps: 9, user } }))
  await page.goto('/')
  await page.evaluate('ranks([60, 50, 40, 39, 38, 37, 36, 35, 34, 20])')
  await player.pressInClaim('Claim 9 TAPS')
  await expect(result.getByText('You are 14th, 12 to the top ten.')).toBeVisible()
  await page.evaluate('ranks([70, 60, 50, 40, 39, 38, 37, 36, 35, 34])')
  await expect(player.ranks.first()).toContainText('70')
  await expect(result.getByText('You are 14th, 12 to the top ten.')).toBeVisible()
})

/** The width of placeholder bars. */
const BARS = /^62%/

test("boards show placeholder bars while loading and a sentence when empty, then the user's own row or rank", async ({
  visit,
}) => {
  const player = await visit()
  const { page } = player
  await page.addInitScript(STREAM)
  let taps_balance = 0
  await player.changeAnswers<Session>('**/api/session', session => {
    const user = { id: 1, username: 'ola', taps_balance }
    return { ...session, user, rank: 14 }
  })
  await player.open()
  const board = player.region('Leaderboard')
  const boards = [board, player.region('Recent attempts')]
  for (const one of boards) await expect(one.getByRole('list')).toHaveCSS('background-size', BARS)
  await page.evaluate("send('leaderboard', { leaderboard: [] }), send('attempts', { attempts: [] }), pool(1)")
  for (const one of boards) await expect(one.getByRole('list')).not.toHaveCSS('background-size', BARS)
  for (const one of boards) await expect(one.getByRole('listitem')).toHaveCount(0)
  await expect(page.getByText('No one here yet. Claim a prize to be first.')).toBeVisible()
  await expect(page.getByText('No attempts yet. Yours would be the first.')).toBeVisible()
  await expect(player.region('Prize pool')).toContainText('every try adds 1')
  await page.evaluate('pool(2)')
  await expect(player.region('Prize pool')).not.toContainText('every try adds')

  await page.evaluate("send('leaderboard', { leaderboard: [{ username: 'mira', taps_balance: 402 }] })")
  await expect(board).toContainText('mira402')
  await expect(board).not.toContainText('Your rank')
  taps_balance = 3
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
  await expect(player.ranks.last()).toHaveText('Your rank: 14ola3')
  await page.evaluate("send('leaderboard', { leaderboard: [{ username: 'ola', taps_balance: 3 }] })")
  await expect(board).not.toContainText('Your rank')
  await expect(board.locator('[data-kind="own"]')).toHaveText('1ola3')
})

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

test('invites a rival with an address to select or a link to copy, until another player has played; "Share" passes a result on', async ({
  server,
  visit,
}) => {
  const player = await visit()
  const { page } = player
  await page.addInitScript('delete Navigator.prototype.clipboard')
  await collectShared(page)
  await player.nameAddress('https://taps.example.org')
  await player.open()
  await page.getByRole('textbox', { name: 'Address of the game' }).focus()
  expect(await page.evaluate('getSelection().toString()')).toBe('https://taps.example.org/')
  await page.evaluate('navigator.clipboard = { writeText: async text => { globalThis.copied = text } }')
  await player.play(-412)
  await player.button('Copy link').click()
  await expect(page.getByText('Copied', { exact: true })).toBeVisible()
  expect(await page.evaluate('copied')).toBe('https://taps.example.org/')
  await player.button('Share').click()
  await expect(page.getByText('Shared', { exact: true })).toBeVisible()
  expect(await firstShared(page)).toEqual({
    text: expect.stringMatching(
      /^I stopped a hidden clock at \d\.\d\d s, target \d\.\d\d: 0\.412 off\. 🟥 Closer\?$/u,
    ),
    url: expect.stringMatching(/^https:\/\/taps\.example\.org\/#by=\w+%20\w+%20\d+&beat=0\.412$/),
  })
  await new Client(server.url).play(612)
  await expect(page.getByText('First one here. Send this to a rival')).toBeHidden()
})

/** Runs what the page does every minute when the test says so; a faked clock would hold the round too. */
const MINUTES = `{
  const start = setInterval
  globalThis.setInterval = (run, ms, ...rest) =>
    ms === 60_000 ? (globalThis.passMinute = run, 0) : start(run, ms, ...rest)
}`

test("a page on the server's own machine follows the address to join in the invitation, a shared result and on the wall", async ({
  visit,
}) => {
  const player = await visit()
  const { page } = player
  const address = page.getByRole('textbox', { name: 'Address of the game' })
  await page.addInitScript('delete Navigator.prototype.clipboard')
  await collectShared(page)
  await page.addInitScript(MINUTES)
  await player.nameAddress('http://192.0.2.1:3000')
  await player.open()
  await expect(address).toHaveValue('http://192.0.2.1:3000/')
  await player.play(-412)
  await page.unroute('/')
  await player.nameAddress('http://198.51.100.1:3000')
  await page.evaluate('passMinute()')
  await expect(address).toHaveValue('http://198.51.100.1:3000/')
  await player.button('Share').click()
  await expect(page.getByText('Shared', { exact: true })).toBeVisible()
  expect((await firstShared(page)).url).toMatch(/^http:\/\/198\.51\.100\.1:3000\/#by=/)
  await player.button('Board mode').click()
  await expect(page.getByText('Play at 198.51.100.1:3000')).toBeVisible()
})

test('a page that was opened at another address keeps it, and reads it no more', async ({
  visit,
  server,
}) => {
  const baseURL = server.url.replace('127.0.0.1', 'game.localhost')
  const player = await visit({ baseURL })
  const { page } = player
  await page.clock.install()
  await player.open()
  await expect(page.getByText('First one here. Send this to a rival')).toBeVisible()
  const read: string[] = []
  page.on('request', request => read.push(request.url()))
  await page.clock.fastForward(60_000)
  await expect.poll(() => read.some(url => url.includes('/api/'))).toBe(true)
  expect(read).not.toContain(`${baseURL}/`)
})

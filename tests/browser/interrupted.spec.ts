import type { CDPSession } from '@playwright/test'
import { STOP_SLIP_MS } from '../../contract/rules.ts'
import { formatTime } from '../../contract/time.ts'
import { PASSWORD, Player } from '../support/page-player.ts'
import { makeAccount } from './accounts.ts'
import { expect, LONG, test } from './test.ts'

/** What becomes of a round when something comes between Start and Stop: docs/decisions/0009. */

const INTERRUPTED = 'The round was ended without a result; its target waits for you.'
const SLEPT = 'This device slept, so the round was ended without a result; its target waits for you.'
const TOO_LONG = 'A round lasts ten minutes at most. This one was ended; its target waits for you.'
const ELSEWHERE = 'You logged in or out in another tab, which ended this round; here is the next one.'

const HOUR_MS = 3_600_000

/** As after a sleep: the wall clock is an hour further, the clock of events is not. */
const SLEEP = `{ const now = Date.now; Date.now = () => now() + ${HOUR_MS} }`

/** What the page sees of a tab that is put behind another one, or shown. */
const setVisible = ({ page }: Player, visible: boolean) =>
  page.evaluate(`
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${!visible} })
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => '${visible ? 'visible' : 'hidden'}' })
    document.dispatchEvent(new Event('visibilitychange'))`)

/** Idle, without a result, with one line that says why, and ready for the same target. */
async function expectEnded(player: Player, note: string): Promise<void> {
  await expect(player.page.getByText(note, { exact: true })).toBeVisible()
  await expect(player.startButton).toBeEnabled()
  await expect(player.region('Result').getByRole('definition')).toHaveText(['–', '–', '–'])
  await expect(player.region('Target Time')).toContainText('–.––')
  await expect(player.region('Track')).toHaveText('0.00')
}

async function expectTime(player: Player, ms: number): Promise<void> {
  await expect(player.region('Result').getByRole('definition').first()).toHaveText(`${formatTime(ms)}s`)
}

async function setLifecycle(cdp: CDPSession, state: 'frozen' | 'active'): Promise<void> {
  await cdp.send('Page.setWebLifecycleState', { state })
}

test('a round goes on while its tab is hidden, and its result is the time that passed', async ({
  player,
}) => {
  const target = await player.start()
  await setVisible(player, false)
  await setVisible(player, true)
  await expect(player.stopButton).toBeVisible()
  await player.stop(20_000)
  await expectTime(player, target + 20_000)
  await player.start()
})

test(
  'a round goes on while its tab is frozen, and its result is the time that passed',
  LONG,
  async ({ player }) => {
    const cdp = await player.page.context().newCDPSession(player.page)
    const target = await player.start()
    await setLifecycle(cdp, 'frozen')
    await setLifecycle(cdp, 'active')
    await player.stop(20_000)
    await expectTime(player, target + 20_000)
    await player.start()
  },
)

test('a page that comes back from the back/forward cache has ended its round, with its target kept', async ({
  player,
}) => {
  const target = await player.start()
  // The browser of the tests keeps no such cache, so it only says what one that does would say.
  const asked = player.page.waitForResponse('**/api/session')
  await player.page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
  await asked
  await expectEnded(player, INTERRUPTED)
  expect(await player.start()).toBe(target)
  await player.stop(340)
  await expectTime(player, target + 340)
})

test('a round ends soon after a sleep, with its target kept', async ({ player }) => {
  const target = await player.start()
  await player.page.evaluate(SLEEP)
  await expectEnded(player, SLEPT)
  expect(await player.start()).toBe(target)
  await player.stop(340)
  await expectTime(player, target + 340)
})

test('a Stop right after a sleep gives no result and begins nothing', LONG, async ({ player }) => {
  const target = await player.start()
  const stop = `${SLEEP}; document.querySelector('.play').click()`
  await player.page.evaluate(`setTimeout(() => { ${stop} }, ${STOP_SLIP_MS})`)
  await expectEnded(player, SLEPT)
  expect(await player.start()).toBe(target)
})

test('a sleep between two rounds is not worth a word', LONG, async ({ player }) => {
  await player.play(340)
  const asked = player.page.waitForResponse('**/api/session')
  await player.page.evaluate(SLEEP)
  await asked
  await expect(player.page.getByText(SLEPT)).toBeHidden()
  await player.start()
})

test('a round ends by itself after ten minutes', LONG, async ({ visit }) => {
  const player = await visit()
  await player.page.clock.install()
  await player.open()
  const target = await player.start()
  await player.page.clock.fastForward('09:50')
  await expect(player.stopButton).toBeVisible()
  await player.page.clock.fastForward('00:11')
  await expectEnded(player, TOO_LONG)
  expect(await player.start()).toBe(target)
})

test('a Stop after more than ten minutes gives no result', LONG, async ({ player }) => {
  const target = await player.start()
  await player.press(600_001)
  await expectEnded(player, TOO_LONG)
  expect(await player.start()).toBe(target)
})

test('a round is over when the login form is opened, and its target waits behind Cancel', async ({
  player,
}) => {
  const target = await player.start()
  await player.button('Login').click()
  await player.button('Cancel').click()
  await expectEnded(player, INTERRUPTED)
  expect(await player.start()).toBe(target)
})

test(
  'who logs in from a running round gets a round of the account, and no line about the last one',
  LONG,
  async ({ player, server }) => {
    const name = await makeAccount(server)
    await player.start()
    await player.logIn(name)
    await player.expectLoggedIn(name)
    await expect(player.region('Result').getByRole('definition')).toHaveText(['–', '–', '–'])
    await expect(player.page.getByText(INTERRUPTED)).toBeHidden()
    await player.play(340)
    await expect(player.attempts.first()).toContainText(name)
  },
)

test(
  'who logs out from a running round begins anew, with nothing of the round left',
  LONG,
  async ({ player, server }) => {
    await player.logIn(await makeAccount(server))
    await expect(player.button('Logout')).toBeVisible()
    const pool = await player.pool()
    await player.start()
    await player.button('Logout').click()
    await expect(player.button('Login')).toBeVisible()
    await expect(player.region('Result').getByRole('definition')).toHaveText(['–', '–', '–'])
    await player.play(340)
    await player.expectPool(pool + 1)
  },
)

test('a login or logout in another tab ends the round with one line', LONG, async ({ player, server }) => {
  const name = await makeAccount(server)
  const other = new Player(await player.page.context().newPage())
  await other.open()
  await player.start()
  await other.logIn(name)
  await expectEnded(player, ELSEWHERE)
  await player.expectLoggedIn(name)

  await player.start()
  await other.button('Logout').click()
  await expectEnded(player, ELSEWHERE)
  await expect(player.button('Login')).toBeVisible()
  await player.play(340)
})

test('an account made in another tab takes the running round along', async ({ player }) => {
  await player.win()
  await player.keepPlaying()
  const other = new Player(await player.page.context().newPage())
  await other.page.goto('/')
  const target = await player.start()
  await other.password.fill(PASSWORD)
  await other.page.getByRole('button', { name: /^Create account & claim/ }).click()
  await expect(other.button('Logout')).toBeVisible()
  await expect(player.button('Logout')).toBeVisible()
  await expect(player.stopButton).toBeVisible()
  await player.stop(340)
  await expectTime(player, target + 340)
  await expect(player.attempts.first().getByRole('img', { name: 'account' })).toBeVisible()
})

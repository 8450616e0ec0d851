import { formatTime } from '../../contract/time.ts'
import type { Player } from '../support/page-player.ts'
import { expect, test } from './test.ts'

/** Rounds that are interrupted between Start and Stop: docs/decisions/0009. */

const INTERRUPTED = 'The round was interrupted. Press Start to try the same target again.'

const SLEPT = 'Your device went to sleep. Press Start to try the same target again.'

const HOUR_MS = 3_600_000

/** As after a sleep: the wall clock has advanced by an hour, the event clock has not. */
const SLEEP = `{ const now = Date.now; Date.now = () => now() + ${HOUR_MS} }`

/** What the page sees when its tab is hidden or shown. */
const setVisible = ({ page }: Player, visible: boolean) =>
  page.evaluate(`
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${!visible} })
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => '${visible ? 'visible' : 'hidden'}' })
    document.dispatchEvent(new Event('visibilitychange'))`)

/** Idle, without a result, with one line that says why, and ready for the same target. */
async function expectEnded(player: Player, note: string): Promise<void> {
  await expect(player.page.getByText(note, { exact: true })).toBeVisible()
  await expect(player.startButton).toBeEnabled()
  await expect(player.region('Result').getByRole('definition')).toHaveCount(0)
  await expect(player.region('Target Time')).toContainText('–.––')
  await expect(player.region('Track')).toHaveText('0.00')
}

async function expectTime(player: Player, ms: number): Promise<void> {
  await expect(player.region('Result').getByRole('definition').first()).toHaveText(`${formatTime(ms)}s`)
}

test('a round goes on while its tab is hidden, and ends by a sleep or the back/forward cache, its target kept', async ({
  player,
}) => {
  const { page } = player
  const target = await player.start()
  await setVisible(player, false)
  await setVisible(player, true)
  await expect(player.stopButton).toBeVisible()
  await player.stop(20_000)
  await expectTime(player, target + 20_000)

  const next = await player.start()
  // The tests' browser has no such cache, so its event is dispatched by hand.
  const asked = page.waitForResponse('**/api/session')
  await page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
  await asked
  await expectEnded(player, INTERRUPTED)
  expect(await player.start()).toBe(next)
  await page.evaluate(SLEEP)
  await expectEnded(player, SLEPT)
  expect(await player.start()).toBe(next)
  await player.stop(340)
  await expectTime(player, next + 340)
})

import { formatTime } from '../../contract/time.ts'
import type { Player } from '../support/page-player.ts'
import { expect, test } from './test.ts'

/** Rounds interrupted between Start and Stop; see docs/decisions/0009. */

const INTERRUPTED = 'The round was interrupted. Press Start to try the same target again.'

const SLEPT = 'Your device went to sleep. Press Start to try the same target again.'

const HOUR_MS = 3_600_000

/** Simulates a sleep: advances the wall clock by an hour, but not the event clock. */
const SLEEP = `{ const now = Date.now; Date.now = () => now() + ${HOUR_MS} }`

const setVisible = ({ page }: Player, visible: boolean) =>
  page.evaluate(`
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${!visible} })
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => '${visible ? 'visible' : 'hidden'}' })
    document.dispatchEvent(new Event('visibilitychange'))`)

/** Expects an idle page that shows `note` and no result. */
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

test('a round continues in a hidden tab; sleep or the back/forward cache ends the round but keeps its target', async ({
  player,
}) => {
  const { page } = player
  const target = await player.start()
  await setVisible(player, false)
  await setVisible(player, true)
  await expect(player.stopButton).toBeVisible()
  await page.evaluate(SLEEP)
  await expectEnded(player, SLEPT)
  expect(await player.start(), 'a press that was meant as Stop').toBe(target)
  await expect(page.getByText(SLEPT)).toBeVisible()
  await player.stop(20_000)
  await expect(page.getByText(SLEPT)).toBeHidden()
  await expectTime(player, target + 20_000)

  const next = await player.start()
  // Dispatches the event of the back/forward cache, because the test browser has no such cache.
  const sessionLoaded = page.waitForResponse('**/api/session')
  await page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
  await sessionLoaded
  await expectEnded(player, INTERRUPTED)
  expect(await player.start()).toBe(next)
  await player.stop(340)
  await expectTime(player, next + 340)
})

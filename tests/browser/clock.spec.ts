import { setTimeout as wait } from 'node:timers/promises'
import type { AttemptList } from '../../contract/api.ts'
import { STOP_DEBOUNCE_MS } from '../../contract/rules.ts'
import { pressSpace, pressWithFinger, pressWithMouse } from '../support/devices.ts'
import { PASSWORD, type Player } from '../support/page-player.ts'
import { BLOCK_MAIN_THREAD, middleOf, pressTwice } from '../support/timed-round.ts'
import { expect, test } from './test.ts'

/** The devices, each for one round. */
const DEVICES = [pressWithMouse, pressSpace, pressWithFinger]

const ABOUT_URL = 'https://example.org/imprint?a=1&b=2'

/** The largest rounding error, because attempts are recorded in whole milliseconds. */
const TOLERANCE_MS = 1

async function recordedMs({ page }: Player): Promise<number> {
  const answer = await page.context().request.get('/api/attempts/mine')
  const { attempts }: AttemptList = await answer.json()
  return (attempts[0]?.actual_time ?? 0) * 1_000
}

test('the recorded time matches the press events within 1 ms, even while the main thread is blocked', async ({
  visit,
}) => {
  const player = await visit({ hasTouch: true })
  await player.open()
  const cdp = await player.page.context().newCDPSession(player.page)
  const button = await middleOf(player.startButton)
  await player.page.evaluate(BLOCK_MAIN_THREAD)
  for (const [round, device] of DEVICES.entries()) {
    await expect(player.startButton).toBeEnabled()
    const recorded = player.page.waitForResponse('**/api/attempts')
    const injectedMs = await pressTwice(cdp, button, STOP_DEBOUNCE_MS + 20 * round, device)
    await recorded
    expect(Math.abs((await recordedMs(player)) - injectedMs)).toBeLessThanOrEqual(TOLERANCE_MS)
  }
})

test.describe('with the default clock tolerance and rate limits', () => {
  test.use({ settings: { CLOCK_TOLERANCE_MS: '750', RATE_LIMITS: 'on', ABOUT_URL } })

  test('a guest wins, creates an account and claims in real time', async ({ ownServer, visit }) => {
    const player = await visit({ baseURL: ownServer.url })
    await player.open()
    const about = player.page.getByRole('link', { name: 'About' })
    await expect(about).toHaveAttribute('href', ABOUT_URL)
    const target = await player.start()
    await wait(target + 60)
    await player.stop(60)
    await expect(player.wonHeading).toHaveText('1 TAPS')
    await player.password.fill(PASSWORD)
    await player.pressInClaim('Create account & claim 1 TAPS')
    const result = player.region('Result')
    await expect(result.getByText('1 TAPS claimed. Your balance is 1 TAPS.')).toBeVisible()
    await player.expectBalance(1)
    await expect(player.ranks).toHaveText(/1$/)
    await player.expectPool(0)
    await player.page.reload()
    await expect(player.button('Logout')).toBeVisible()
    await player.expectBalance(1)
  })
})

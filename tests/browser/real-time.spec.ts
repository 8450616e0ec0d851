import { setTimeout as wait } from 'node:timers/promises'
import { PASSWORD } from '../support/page-player.ts'
import { expect, test } from './test.ts'

/** As a player meets it: the clocks of the game as they are, and every limit on. */
test.use({ settings: { CLOCK_TOLERANCE_MS: '750', RATE_LIMITS: 'on' } })

test('a guest plays, misses, wins, creates an account and claims, in real time', async ({
  player,
  visit,
}) => {
  const viewer = await visit()
  await viewer.open()
  for (const difference of [-600, 60]) {
    const target = await player.start()
    await wait(target + difference)
    await player.stop(difference)
  }
  await expect(player.wonHeading).toHaveText('2 TAPS')
  await expect(viewer.attempts.first()).toContainText('won 2')
  await player.password.fill(PASSWORD)
  await player.button('Create account & claim 2 TAPS').click()
  await player.expectBalance(2)
  await expect(viewer.ranks).toHaveCount(1)
  await expect(viewer.ranks).toContainText('2')
  await viewer.expectPool(0)
})

test('a stop that comes before its time cannot win', async ({ player }) => {
  // So long that a slow machine is still before it.
  while ((await player.start()) < 3_000) await player.stop(600)
  await player.stop(0)
  await expect(player.page.getByText(/^Not verified/)).toBeVisible()
  await player.start()
})

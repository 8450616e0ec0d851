import { expect, test } from './test.ts'

/** Less time than any attempt claims will always have passed. */
test.use({ settings: { CLOCK_TOLERANCE_MS: '-600000' } })

test('an attempt that the server’s clock does not bear out counts, is marked, and cannot win', async ({
  player,
  visit,
}) => {
  const viewer = await visit()
  await viewer.open()
  const pool = await player.pool()
  await player.play(0)
  await expect(player.region('Result')).toContainText("PERFECT! You're a timing genius!")
  await expect(player.page.getByText(/^Not verified: less time .* cannot win\.$/)).toBeVisible()
  await expect(player.startButton).toBeEnabled()
  await expect(player.chip).toBeHidden()
  await viewer.expectPool(pool + 1)
  await expect(viewer.attempts.first()).toContainText('not verified')
  await expect(viewer.attempts.first()).not.toContainText('won')

  await player.start()
  await expect(player.page.getByText(/^Not verified/)).toBeHidden()
})

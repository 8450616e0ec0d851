import { expect, test } from './test.ts'

/** 12 seconds: long enough to see the prize on a slow machine, short enough to wait for its end. */
test.use({ settings: { PRIZE_HOLD_MINUTES: '0.2' } })
const END = { timeout: 30_000 }

test('a hold that ends says so where the claim view is open and takes the chip away elsewhere; the TAPS are back in the pool', async ({
  player,
  visit,
}) => {
  const { page } = player
  const viewer = await visit()
  await viewer.open()
  const playing = await visit()
  await playing.open()
  await player.play(700)
  let won = await playing.win()
  await playing.keepPlaying()
  await expect(playing.chip).toBeVisible()
  won += await player.win()
  await viewer.expectPool(0)
  await expect(page.getByRole('heading', { name: 'Nothing is held for you any more' })).toBeVisible(END)
  await expect(page.getByText('The hold has ended, and the TAPS are back in the pool.')).toBeVisible()
  await viewer.expectPool(won)

  await player.keepPlaying()
  await player.expectPool(won)
  await expect(player.chip).toBeHidden()
  await player.start()
  await expect(playing.chip).toBeHidden()
  await playing.start()
})

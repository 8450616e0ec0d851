import { makeAccount } from './accounts.ts'
import { expect, LONG, test } from './test.ts'

test('an account that wins claims with one press', async ({ player, server }) => {
  const { page } = player
  const name = await makeAccount(server)
  await player.logIn(name)
  await player.expectLoggedIn(name)
  await player.play(800)
  const won = await player.win(-20)
  await expect(page.getByText('Held for you for')).toBeHidden()
  await player.expectBalance(0)
  await player.button(`Claim ${won} TAPS`).click()

  await player.expectBalance(won)
  await expect(page.getByText(`${won} TAPS claimed. Your balance is ${won} TAPS.`)).toBeVisible()
  await expect(player.ranks.filter({ hasText: name })).toHaveText(new RegExp(`${name}${won}$`))
  await player.start()
})

test(
  'an account’s prize waits as long as it takes, on every device',
  LONG,
  async ({ player, visit, server }) => {
    const name = await makeAccount(server)
    await player.logIn(name)
    await player.expectLoggedIn(name)
    const won = await player.win()
    await player.keepPlaying()
    await expect(player.chip).toHaveText(`${won} TAPS to claim`)

    const other = await visit()
    await other.open()
    await other.logIn(name)
    await other.button(`Claim ${won} TAPS`).click()
    await other.expectBalance(won)

    await player.chip.click()
    await player.button(`Claim ${won} TAPS`).click()
    await player.expectBalance(won)
  },
)

test(
  'the heading has the focus, so that a last Space neither claims nor leaves',
  LONG,
  async ({ player, server }) => {
    const name = await makeAccount(server)
    await player.logIn(name)
    await player.expectLoggedIn(name)
    const won = await player.win()
    await expect(player.wonHeading).toBeFocused()
    await player.page.keyboard.press('Space')
    await player.page.keyboard.press('Enter')
    await expect(player.button(`Claim ${won} TAPS`)).toBeEnabled()
    await player.expectBalance(0)
  },
)

import type { BrowserContext } from '@playwright/test'
import { formatTime } from '../../contract/time.ts'
import { PASSWORD, Player } from '../support/page-player.ts'
import { makeAccount } from './accounts.ts'
import { expect, test } from './test.ts'

async function openTab(context: BrowserContext): Promise<Player> {
  const player = new Player(await context.newPage())
  await player.open()
  return player
}

test('a login, win, claim and logout in one tab apply to the other tabs; a login ends their rounds with a message', async ({
  player,
  server,
}) => {
  const { page } = player
  const other = await openTab(page.context())
  const name = await makeAccount(server)
  await player.start()
  await other.logIn(name)
  await other.expectLoggedIn(name)
  await player.expectLoggedIn(name)
  await expect(page.getByText(/^You logged in or out in another tab/)).toBeVisible()
  await expect(player.startButton).toBeEnabled()

  const won = await player.win()
  await expect(player.region('Track')).toContainText(`+${won} TAPS`)
  await expect(other.chip).toHaveText(`${won} TAPS to claim`)
  await player.pressInClaim(`Claim ${won} TAPS`)
  await expect(other.chip).toBeHidden()
  await other.expectBalance(won)

  await player.win()
  await other.button('Logout').click()
  await expect(other.button('Login')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'You were logged out' })).toBeVisible()
  await expect(player.button('Keep playing')).toBeFocused()
  await expect(page.getByRole('status').filter({ hasText: /^Log in again to claim/ })).toBeVisible()
  await player.keepPlaying()
  expect(await player.username.inputValue()).toBe(await other.username.inputValue())
})

test('a round played in one tab moves both tabs to the next round; an account created in one tab takes over the round that runs in the other', async ({
  player,
}) => {
  const other = await openTab(player.page.context())
  await player.play(250)
  await expect(other.region('Your timing')).toContainText('best 0.250 s')
  expect(await other.start()).toBe(await player.start())
  await player.stop(38)
  await player.pressInClaim('Keep playing')
  await other.page.reload()
  const target = await player.start()
  await other.password.fill(PASSWORD)
  await other.pressInClaim(/^Create account & claim/)
  await expect(other.button('Logout')).toBeVisible()
  await expect(player.button('Logout')).toBeVisible()
  await expect(player.stopButton).toBeVisible()
  await player.stop(340)
  await expect(player.region('Result').getByRole('definition').first()).toHaveText(
    `${formatTime(target + 340)}s`,
  )
  await expect(player.attempts.first().getByText('guest', { exact: true })).toHaveCount(0)
})

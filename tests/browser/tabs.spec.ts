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

test('a login or logout in one tab applies to the other tabs, and ends their rounds with a message', async ({
  player,
  server,
}) => {
  const other = await openTab(player.page.context())
  const expectEnded = async () => {
    await expect(player.page.getByText(/^You logged in or out in another tab/)).toBeVisible()
    await expect(player.startButton).toBeEnabled()
  }
  const name = await makeAccount(server)
  await player.username.fill('a;b')
  await player.startButton.click()
  await expect(player.username).toHaveAttribute('aria-invalid', 'true')
  await player.username.fill('ola')
  await player.start()
  await other.logIn(name)
  await other.expectLoggedIn(name)
  await player.expectLoggedIn(name)
  await expectEnded()
  await player.start()
  await other.button('Logout').click()
  await expect(other.button('Login')).toBeVisible()
  await expect(player.button('Login')).toBeVisible()
  await expectEnded()
  expect(await player.username.inputValue()).toBe(await other.username.inputValue())
})

test('a round played in one tab moves both tabs to the next round', async ({ player }) => {
  const other = await openTab(player.page.context())
  const round = async () => (await (await player.page.request.get('/api/session')).json()).round.token
  const first = await round()
  await player.start()
  await player.stop(250)
  await expect(player.startButton).toBeEnabled()
  await expect(other.region('Your timing')).toContainText('best 0.250 s')
  const second = await other.start()
  expect(await player.start()).toBe(second)
  expect(await round()).not.toBe(first)
})

test('the other tabs show a prize won in one tab, and hide the prize once it is claimed', async ({
  player,
  server,
}) => {
  const name = await makeAccount(server)
  await player.logIn(name)
  await player.expectLoggedIn(name)
  const other = await openTab(player.page.context())
  const won = await player.win()
  await expect(other.chip).toHaveText(`${won} TAPS to claim`)
  await player.pressInClaim(`Claim ${won} TAPS`)
  await expect(other.chip).toBeHidden()
  await other.expectBalance(won)
})

test('an account created in another tab takes over the running round', async ({ player }) => {
  await player.win()
  await player.keepPlaying()
  const other = new Player(await player.page.context().newPage())
  await other.page.goto('/')
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

import type { Locator } from '@playwright/test'
import { PASSWORD, Player } from '../support/page-player.ts'
import { HttpRelay } from '../support/relay.ts'
import { makeAccount } from './accounts.ts'
import { expect, test } from './test.ts'

/** Answers that a proxy loses or replaces. */

const NEW_PASSWORD = 'another long password'

const menu = ({ page }: Player): Locator => page.getByRole('dialog')

/** Leaves the page before its connections are cut. */
async function close({ page }: Player, relay: HttpRelay): Promise<void> {
  await page.goto('about:blank')
  await relay.cut()
}

test('when a proxy loses the answer to a change, so that the page asks again, the page says to log in to find out', async ({
  visit,
  server,
  complaints,
}) => {
  complaints.expect(/40[14] \(|net::ERR_(EMPTY_RESPONSE|CONNECTION_RESET)/)
  const relay = await HttpRelay.open(server.url)
  const name = await makeAccount(server)
  const player = await visit({ baseURL: relay.url })
  const field = (label: string) => menu(player).getByRole('textbox', { name: label, exact: true })
  const press = (label: string) => menu(player).getByRole('button', { name: label, exact: true }).click()
  const enter = async () => {
    await player.username.fill(name)
    await player.password.fill(NEW_PASSWORD)
    await player.button('Login').click()
  }
  await player.open()
  await player.logIn(name)
  await player.expectLoggedIn(name)

  relay.breakOff('/api/password', 'before the answer', 1)
  await player.button('Account').click()
  await press('Change password')
  await field('Current password').fill(PASSWORD)
  await field('New password').fill(NEW_PASSWORD)
  await press('Change password')
  const status = player.page.locator('.login').getByRole('alert').first()
  await expect(status).toHaveText(
    'The game did not say whether your password has been changed. Log in with the new one, or the old one.',
  )
  await enter()
  await player.expectLoggedIn(name)
  await player.play(400)

  relay.breakOff('/api/users/delete', 'before the answer', 1)
  await player.button('Account').click()
  await press('Delete account')
  await field('Current password').fill(NEW_PASSWORD)
  await press('Delete account')
  await expect(menu(player)).toBeHidden()
  await expect(status).toHaveText(
    'The game did not say whether your account has been deleted. Log in to find out.',
  )
  await enter()
  await expect(player.page.getByText('No account with this username')).toBeVisible()
  await close(player, relay)
})

test('a round whose answers a proxy replaces has ended: a win shows in the chip, and another tab says so', async ({
  visit,
  server,
}) => {
  const relay = await HttpRelay.open(server.url)
  const player = await visit({ baseURL: relay.url })
  const { page } = player
  await player.open()
  const other = new Player(await page.context().newPage())
  // Without channels, the other tab does not learn that its round has been played.
  await other.page.addInitScript('delete globalThis.BroadcastChannel')
  await other.open()
  await other.start()

  relay.breakOff('/api/attempts', 'replaces the answer by its own page')
  await player.start()
  await player.stop(41)
  const ended = 'This round has ended. If it was recorded, Your timing shows it.'
  await expect(page.getByText(ended)).toBeVisible()
  await expect(page.getByText('1 TAPS to claim')).toBeVisible()
  await expect(player.region('Your timing').locator('[data-closeness]')).toHaveCount(1)
  await expect(player.startButton).toBeEnabled()
  await other.stop(300)
  await expect(other.page.getByText(ended)).toBeVisible()
  await expect(other.startButton).toBeEnabled()
  await other.page.goto('about:blank')
  await close(player, relay)
})

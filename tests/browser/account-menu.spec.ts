import type { Locator } from '@playwright/test'
import { PASSWORD, type Player } from '../support/page-player.ts'
import { makeAccount } from './accounts.ts'
import { expect, test } from './test.ts'

const NEW_PASSWORD = 'another long password'

const menu = ({ page }: Player): Locator => page.getByRole('dialog')

const field = (player: Player, name: string): Locator =>
  menu(player).getByRole('textbox', { name, exact: true })

const press = (player: Player, name: string): Promise<void> =>
  menu(player).getByRole('button', { name, exact: true }).click()

async function logIn(player: Player, name: string): Promise<void> {
  await player.logIn(name)
  await player.expectLoggedIn(name)
}

async function openMenu(player: Player): Promise<void> {
  await player.button('Account').click()
  await expect(menu(player).getByRole('heading', { name: 'Account', exact: true })).toBeVisible()
}

test('the account menu ends a run with a message, takes and returns the focus, and blocks play while open', async ({
  player,
  server,
}) => {
  const { page } = player
  const name = await makeAccount(server)
  await logIn(player, name)
  await player.start()
  await player.button('Account').focus()
  await page.keyboard.press('Enter')
  await expect(menu(player).getByRole('button', { name: 'Change password' })).toBeFocused()
  await expect(menu(player)).toContainText(name)
  await menu(player).getByRole('heading').click()
  await page.keyboard.press('Space')
  await menu(player).getByRole('button', { name: 'Change password' }).focus()
  await page.keyboard.press('Enter')
  await expect(field(player, 'Current password')).toBeFocused()
  await press(player, 'Back')
  await expect(menu(player).getByRole('button', { name: 'Change password' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(menu(player)).toBeHidden()
  await expect(player.button('Account')).toBeFocused()
  await expect(player.startButton).toBeEnabled()
  await expect(page.getByText('The round was interrupted')).toBeVisible()
})

test('changing the password logs out all other devices and keeps the current device logged in', async ({
  player,
  visit,
  server,
  complaints,
}) => {
  complaints.expect(/40[01] \((Bad Request|Unauthorized)\)/)
  const name = await makeAccount(server)
  await logIn(player, name)
  const device = await visit()
  await device.open()
  await logIn(device, name)

  await openMenu(player)
  await press(player, 'Change password')
  await field(player, 'Current password').fill('not the password')
  await field(player, 'New password').fill(NEW_PASSWORD)
  await press(player, 'Change password')
  await expect(menu(player).getByRole('alert')).toHaveText('Invalid password')
  await field(player, 'Current password').fill(PASSWORD)
  await field(player, 'New password').fill('password1')
  await press(player, 'Change password')
  await expect(menu(player).getByRole('alert')).toContainText('one of the most common')
  await field(player, 'New password').fill(NEW_PASSWORD)
  await field(player, 'New password').press('Enter')
  await expect(menu(player).getByRole('status')).toHaveText(/^Your password has been changed/)
  await press(player, 'Close')
  await player.page.reload()
  await player.expectLoggedIn(name)

  await device.page.reload()
  await expect(device.button('Login')).toBeVisible()
  await device.logIn(name, NEW_PASSWORD)
  await device.expectLoggedIn(name)
})

test('deleting an account warns first, then returns its TAPS to the pool and removes its name', async ({
  player,
  server,
  complaints,
}) => {
  complaints.expect(/401 \(Unauthorized\)/)
  const { page } = player
  const name = await makeAccount(server)
  await logIn(player, name)
  const won = await player.win()
  await player.pressInClaim(`Claim ${won} TAPS`)
  await player.expectBalance(won)
  await expect(player.ranks.filter({ hasText: name })).toBeVisible()
  const pool = await player.pool()

  await openMenu(player)
  await press(player, 'Delete account')
  await expect(menu(player)).toContainText(`Your ${won} TAPS go back to the pool`)
  await field(player, 'Current password').fill('not the password')
  await press(player, 'Delete account')
  await expect(menu(player).getByRole('alert')).toHaveText('Invalid password')
  await field(player, 'Current password').fill(PASSWORD)
  await press(player, 'Delete account')

  await expect(menu(player)).toBeHidden()
  await expect(page.getByText('Your account has been deleted.')).toBeVisible()
  await expect(player.button('Login')).toBeVisible()
  await player.expectBalance(0)
  await player.expectPool(pool + won)
  await expect(player.ranks.filter({ hasText: name })).toHaveCount(0)
  await expect(player.attempts.filter({ hasText: 'Deleted player' })).toBeVisible()
  await expect(page.getByText(name)).toHaveCount(0)
  await player.start()
})

test('a menu that cannot be loaded says so, and is loaded after the page was hidden', async ({
  complaints,
  player,
  server,
}) => {
  complaints.expect(/net::ERR_FAILED/)
  const { page } = player
  await logIn(player, await makeAccount(server))
  await page.route('**/assets/AccountMenu-*.js', route => route.abort())
  await page.route('/', route => route.abort())
  await player.button('Account').click()
  await expect(page.getByText('Your account could not be opened.')).toBeVisible()
  await page.unrouteAll()
  const reloaded = page.waitForEvent('load')
  await page.evaluate(`
    Object.defineProperty(document, 'hidden', { get: () => true })
    document.dispatchEvent(new Event('visibilitychange'))`)
  await reloaded
  await openMenu(player)
})

test('a menu that an upgrade has replaced is loaded by one reload', async ({
  complaints,
  player,
  server,
}) => {
  complaints.expect(/404/)
  const { page } = player
  await logIn(player, await makeAccount(server))
  await page.route('**/assets/AccountMenu-*.js', route => route.fulfill({ status: 404 }), { times: 1 })
  const reloaded = page.waitForEvent('load')
  await player.button('Account').click()
  await reloaded
  await openMenu(player)
})

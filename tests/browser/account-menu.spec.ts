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

test('changing the password keeps this device logged in; deleting the account returns its TAPS to the pool and removes its name', async ({
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

  await openMenu(player)
  await press(player, 'Change password')
  await field(player, 'Current password').fill('not the password')
  await field(player, 'New password').fill(NEW_PASSWORD)
  await press(player, 'Change password')
  await expect(menu(player).getByRole('alert')).toHaveText('Invalid password')
  await player.expectErrorBelowButton()
  await field(player, 'Current password').fill(PASSWORD)
  await field(player, 'New password').fill(NEW_PASSWORD)
  await field(player, 'New password').press('Enter')
  await expect(menu(player).getByRole('status')).toHaveText(/^Your password has been changed/)
  await press(player, 'Close')
  await page.reload()
  await player.expectLoggedIn(name)

  await openMenu(player)
  await press(player, 'Delete account')
  await expect(menu(player)).toContainText(`Your ${won} TAPS go back to the pool`)
  await field(player, 'Current password').fill(PASSWORD)
  await press(player, 'Delete account')
  await expect(menu(player).getByRole('alert')).toHaveText('Invalid password')
  await player.expectErrorBelowButton()
  await field(player, 'Current password').fill(NEW_PASSWORD)
  await press(player, 'Delete account')
  await expect(menu(player)).toBeHidden()
  await expect(page.getByText('Your account has been deleted.')).toBeVisible()
  await expect(player.button('Login')).toBeVisible()
  await player.expectBalance(0)
  await player.expectPool(won)
  await expect(player.attempts.filter({ hasText: 'Deleted player' })).toBeVisible()
  await expect(page.getByText(name)).toHaveCount(0)
  await player.start()
})

/** Phones in both orientations. */
const PHONES = ['320x568', '390x844', '568x320', '667x375', '844x390']

test('"Close" and "Back" of the account menu are in the window of a phone, at the default text size and at 200 %', async ({
  player,
  server,
}) => {
  const { page } = player
  await logIn(player, await makeAccount(server))
  await openMenu(player)
  const cdp = await page.context().newCDPSession(page)
  const expectInWindow = async (name: string) => {
    for (const font of [16, 32]) {
      await cdp.send('Page.setFontSizes', { fontSizes: { standard: font } })
      for (const phone of PHONES) {
        const [width = 0, height = 0] = phone.split('x').map(Number)
        await page.setViewportSize({ width, height })
        await player.settle()
        const button = menu(player).getByRole('button', { name, exact: true })
        await expect(button, `${phone}, ${font} px`).toBeInViewport({ ratio: 1 })
      }
    }
  }
  await expectInWindow('Close')
  await press(player, 'Change password')
  await expectInWindow('Back')
})

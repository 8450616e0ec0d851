import { AxeBuilder } from '@axe-core/playwright'
import type { Locator } from '@playwright/test'
import { PASSWORD, type Player } from '../support/page-player.ts'
import { makeAccount, newName } from './accounts.ts'
import { expect, LONG_ONLY, test } from './test.ts'

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

test('it takes the focus in and gives it back, and Escape closes it', async ({ player, server }) => {
  const { page } = player
  const name = await makeAccount(server)
  await logIn(player, name)
  await player.button('Account').focus()
  await page.keyboard.press('Enter')
  await expect(menu(player).getByRole('button', { name: 'Change password' })).toBeFocused()
  await expect(menu(player)).toContainText(name)
  await page.keyboard.press('Enter')
  await expect(field(player, 'Current password')).toBeFocused()
  await press(player, 'Back')
  await expect(menu(player).getByRole('button', { name: 'Change password' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(menu(player)).toBeHidden()
  await expect(player.button('Account')).toBeFocused()
})

test('nothing is played while it is open, and a run under way ends with a word', async ({
  player,
  server,
}) => {
  const { page } = player
  await logIn(player, await makeAccount(server))
  await player.start()
  await openMenu(player)
  await menu(player).getByRole('heading').click()
  await page.keyboard.press('Space')
  await press(player, 'Close')
  await expect(player.startButton).toBeEnabled()
  await expect(page.getByText('The round was ended without a result')).toBeVisible()
})

test('the password is changed, other devices are logged out, and this one goes on', async ({
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
  await expect(menu(player).getByRole('status')).toHaveText(/^Your password is changed/)
  await press(player, 'Close')
  await player.page.reload()
  await player.expectLoggedIn(name)

  await device.page.reload()
  await expect(device.button('Login')).toBeVisible()
  await device.logIn(name, NEW_PASSWORD)
  await device.expectLoggedIn(name)
})

test('a password change whose answer was lost says to log in with the new one, which works', async ({
  player,
  server,
  complaints,
}) => {
  complaints.expect(/401 \(Unauthorized\)|net::ERR_FAILED/)
  const name = await makeAccount(server)
  await logIn(player, name)
  let isLost = false
  await player.page.route('**/api/password', async route => {
    if (isLost) return route.continue()
    isLost = true
    const context = player.page.context()
    const cookies = await context.cookies()
    await route.fetch()
    // Of an answer that is lost the browser keeps nothing.
    await context.addCookies(cookies)
    await route.abort()
  })
  await openMenu(player)
  await press(player, 'Change password')
  await field(player, 'Current password').fill(PASSWORD)
  await field(player, 'New password').fill(NEW_PASSWORD)
  await field(player, 'New password').press('Enter')
  await expect(player.page.getByText(/log in with the new one/)).toBeVisible()
  await player.logIn(name, NEW_PASSWORD)
  await player.expectLoggedIn(name)
})

test('an account is deleted after a warning: its TAPS go back, its name goes', async ({
  player,
  server,
  complaints,
}) => {
  complaints.expect(/401 \(Unauthorized\)/)
  const { page } = player
  const name = await makeAccount(server)
  await logIn(player, name)
  const won = await player.win()
  await player.button(`Claim ${won} TAPS`).click()
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
  await expect(page.getByText('Your account is deleted.')).toBeVisible()
  await expect(player.button('Login')).toBeVisible()
  await player.expectBalance(0)
  await player.expectPool(pool + won)
  await expect(player.ranks.filter({ hasText: name })).toHaveCount(0)
  await expect(player.attempts.filter({ hasText: 'Deleted player' })).toBeVisible()
  await expect(page.getByText(name)).toHaveCount(0)
  await player.play(300)
})

for (const { colorScheme, widths, audited, length } of [
  { colorScheme: 'dark', widths: [360], audited: 360, length: {} },
  { colorScheme: 'dark', widths: [320, 768, 1_280], audited: null, length: LONG_ONLY },
  { colorScheme: 'light', widths: [1_280], audited: 1_280, length: LONG_ONLY },
] as const) {
  const title = `no accessibility violation, nothing cut off, nothing shifted, ${colorScheme} at ${widths.join(', ')} px`
  test(title, length, async ({ visit, server }) => {
    const player = await visit({ colorScheme })
    const { page } = player
    await player.open()
    await logIn(player, await makeAccount(server, newName()))
    for (const width of widths) {
      await page.setViewportSize({ width, height: width < 400 ? 640 : 900 })
      await player.settle()
      const before = await paths(player)
      await openMenu(player)
      for (const step of ['Close', 'Change password', 'Delete account']) {
        if (step !== 'Close') await press(player, step)
        await player.settle()
        if (width === audited) {
          const { violations } = await new AxeBuilder({ page }).analyze()
          expect(
            violations.map(({ id, nodes }) => [id, nodes[0]?.html]),
            `${step} at ${width} px`,
          ).toEqual([])
        }
        expect(await overflow(player), `${step} at ${width} px`).toEqual([0, 0])
        await press(player, step === 'Close' ? 'Change password' : 'Back')
        if (step === 'Close') await press(player, 'Back')
      }
      await press(player, 'Close')
      await player.settle()
      expect(await paths(player)).toEqual(before)
    }
  })
}

function paths(player: Player) {
  return Promise.all([
    player.button('Account').boundingBox(),
    player.button('Logout').boundingBox(),
    player.startButton.boundingBox(),
    player.region('Result').boundingBox(),
  ])
}

/** How far the dialog is wider and higher than what is seen of it, in px. */
async function overflow({ page }: Player): Promise<number[]> {
  return page.evaluate<number[]>(`(() => {
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.querySelector('dialog')
    return [scrollWidth - clientWidth, scrollHeight - clientHeight]
  })()`)
}

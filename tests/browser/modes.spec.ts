import { PASSWORD } from '../support/page-player.ts'
import { makeAccount, newName } from './accounts.ts'
import { expect, test } from './test.ts'

test('each mode is one history entry; Back and Escape leave a mode, and Forward returns to a mode that still applies', async ({
  player,
  server,
}) => {
  const { page } = player
  const urls = new Set([page.url()])
  page.on('framenavigated', () => urls.add(page.url()))
  const entries = () => page.evaluate<number>('history.length')
  const before = await entries()
  await player.button('Login').click()
  await expect(player.username).toHaveValue('')
  await expect(player.password).toBeVisible()
  await expect(player.button('Login')).toHaveCount(1)
  await expect(player.startButton).toBeHidden()
  expect(await entries()).toBe(before + 1)
  await page.goBack()
  await expect(player.startButton).toBeFocused()
  await page.goForward()
  await expect(player.password).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(player.startButton).toBeFocused()
  await page.goForward()
  await page.reload()
  await expect(player.password, 'a reload keeps the mode').toBeVisible()
  await player.button('Cancel').click()
  await expect(player.startButton).toBeFocused()

  const name = await makeAccount(server)
  await player.logIn(name)
  await player.expectLoggedIn(name)
  await expect(player.startButton, 'Start has the focus after a login').toBeFocused()
  await page.goForward()
  await expect(player.startButton, 'a user does not return to the login form').toBeVisible()

  await player.win(20)
  const claimButton = page.getByRole('button', { name: /^Claim / })
  await expect(claimButton, 'claim mode focuses its first button').toBeFocused()
  await page.goBack()
  await expect(player.startButton).toBeFocused()
  await page.goForward()
  await expect(claimButton).toBeFocused()
  await player.pressInClaim(/^Claim /)
  await expect(player.startButton, 'Start has the focus after a claim').toBeFocused()
  await page.goForward()
  await expect(player.startButton, 'claim mode does not return without a prize').toBeVisible()
  await player.button('Logout').click()
  await expect(player.button('Login')).toBeVisible()
  await expect(player.startButton, 'Start has the focus after a logout').toBeFocused()
  expect([...urls], 'no mode changes the URL').toEqual([new URL('/', page.url()).href])
  expect(await entries()).toBe(before + 1)
})

test('a form error is red, focuses its field and keeps the held prize', async ({
  player,
  server,
  complaints,
}) => {
  complaints.expect(/40[0149] \(/)
  const { username, password, page } = player
  const expectError = async (field: typeof username, other: typeof username, message: RegExp) => {
    await expect(field).toBeFocused()
    await expect(field).toHaveAttribute('aria-invalid', 'true')
    await expect(field).toHaveAccessibleDescription(message)
    await expect(other).toHaveAttribute('aria-invalid', 'false')
    await expect(page.getByRole('alert')).toHaveText(message)
    await expect(page.getByRole('alert')).toHaveCSS('color', await player.themeColour('--wild'))
  }
  const name = await makeAccount(server)
  const won = await player.win()
  await username.fill(name.toUpperCase())
  await password.fill('another long password')
  await player.pressInClaim(`Create account & claim ${won} TAPS`)
  await expectError(username, password, /^This username is already taken$/)
  await page.keyboard.press('Tab')
  await expect(password).toBeFocused()
  await player.keepPlaying()

  await player.logIn('', PASSWORD)
  await expectError(username, password, /^Please enter both username and password$/)
  await username.fill(name)
  await password.fill('not the password')
  await password.press('Enter')
  await expectError(password, username, /^Invalid password$/)
  await username.fill(newName())
  await player.button('Login').click()
  await expectError(username, password, /^No account with this username$/)
  await username.fill(name)
  await password.fill(PASSWORD)
  await player.button('Login').click()
  await expect(page.getByText('held for you'), 'the prize no longer expires').toBeHidden()
  await player.pressInClaim(`Claim ${won} TAPS`)
  await player.expectBalance(won)
})

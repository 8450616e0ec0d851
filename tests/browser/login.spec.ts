import { PASSWORD } from '../support/page-player.ts'
import { makeAccount, newName } from './accounts.ts'
import { expect, test } from './test.ts'

test('logging out creates a new guest with a new handle and no results', async ({ player, server }) => {
  const name = await makeAccount(server)
  const handle = await player.username.inputValue()
  await player.logIn(name)
  await player.expectLoggedIn(name)
  await player.play(450)
  await expect(player.page.getByRole('img', { name: /^1 round,/ })).toBeVisible()
  await player.button('Logout').click()

  await expect(player.button('Login')).toBeVisible()
  await expect(player.username).toHaveValue(/^[A-Z][a-z]+ [A-Z][a-z]+ [1-9]\d{0,2}$/)
  await expect(player.username).not.toHaveValue(handle)
  await expect(player.username).toBeEditable()
  await player.expectBalance(0)
  await expect(player.region('Result').getByRole('definition')).toHaveCount(0)
  await expect(player.region('Your timing')).toContainText('no rounds yet')
  await player.page.reload()
  await expect(player.button('Login')).toBeVisible()
})

test('a new player can switch from logging in to creating an account', async ({ player, complaints }) => {
  complaints.expect(/40[04] \((Bad Request|Not Found)\)/)
  const { page, username, password } = player
  const name = newName()
  await player.button('Login').click()
  await expect(page.getByRole('heading', { name: 'Login', exact: true })).toBeVisible()
  await username.fill(name)
  await player.button('Create account').click()
  await expect(page.getByRole('heading', { name: 'A new account' })).toBeVisible()
  await expect(username).toHaveValue(name)
  await expect(password).toBeFocused()
  await expect(password).toHaveAttribute('autocomplete', 'new-password')
  await expect(page.getByRole('alert')).toBeEmpty()
  await password.fill('short')
  await player.button('Create account').click()
  await expect(page.getByRole('alert')).toContainText('at least 8 characters')
  await player.button('I already have an account').click()
  await expect(page.getByRole('alert'), 'the sign-up error is gone').toBeEmpty()
  await expect(password).toHaveAttribute('autocomplete', 'current-password')
  await password.fill(PASSWORD)
  await player.button('Login').click()
  await expect(page.getByRole('alert')).toHaveText('No account with this username')
  await player.button('Create account').click()
  await player.expectLoggedIn(name)
})

test('a script that submits the form keeps name and password out of the address', async ({
  player,
  complaints,
}) => {
  complaints.expect(/40\d/)
  const { page } = player
  await player.button('Login').click()
  await player.username.fill('Ada')
  await player.password.fill(PASSWORD)
  const sent = page.waitForRequest(request => request.isNavigationRequest())
  const navigated = page.waitForEvent('framenavigated')
  await page.evaluate("document.querySelector('form').submit()")
  await navigated
  expect((await sent).method()).toBe('POST')
  expect((await sent).url()).not.toContain('?')
})

test('keys that an input method uses leave neither a field nor login mode', async ({ player }) => {
  const { page } = player
  const composed = (key: string, selector: string) =>
    page.evaluate(`document.querySelector('${selector}').dispatchEvent(
      new KeyboardEvent('keydown', { key: '${key}', keyCode: 229, bubbles: true, cancelable: true }))`)
  await player.username.focus()
  await composed('Enter', '#username')
  await expect(player.username).toBeFocused()
  await player.button('Login').click()
  await composed('Escape', 'form input')
  await expect(player.password).toBeVisible()
})

import { PASSWORD } from '../support/page-player.ts'
import { makeAccount, newName } from './accounts.ts'
import { expect, test } from './test.ts'

/** Collects what a screen reader announces of form errors: text that is added. */
const SAID = `
  globalThis.said = []
  new MutationObserver(changes => {
    for (const { addedNodes } of changes) for (const { textContent } of addedNodes) if (textContent) said.push(textContent)
  }).observe(document.querySelector('[role=alert]'), { subtree: true, childList: true })`

test('a form error is red and focuses its field; a sign-up brings the held prize, and a logout creates a new guest', async ({
  player,
  server,
  complaints,
}) => {
  complaints.expect(/40[0149] \(/)
  const { username, password, page } = player
  const alert = page.getByRole('alert')
  const placeOfSubmit = () => page.evaluate<number>(`document.querySelector('.game [type=submit]').offsetTop`)
  let submitAt = 0
  const expectError = async (field: typeof username, other: typeof username, message: RegExp) => {
    await expect(field).toBeFocused()
    await expect(field).toHaveAttribute('aria-invalid', 'true')
    await expect(field).toHaveAccessibleDescription(message)
    await expect(other).toHaveAttribute('aria-invalid', 'false')
    await expect(alert).toHaveText(message)
    await expect(alert).toHaveCSS('color', await player.themeColour('--wild'))
    await player.expectErrorBelowButton()
    expect(await placeOfSubmit(), 'the button keeps its place in the page').toBe(submitAt)
    await expect(alert).toBeInViewport({ ratio: 1 })
  }
  /** Remembers the place of the button before a form is refused. */
  const measure = async () => {
    submitAt = await placeOfSubmit()
  }
  const taken = await makeAccount(server)
  const name = newName()
  const handle = await username.inputValue()
  const won = await player.win()
  await username.fill(taken.toUpperCase())
  await password.fill('another long password')
  await measure()
  await player.pressInClaim(`Create account & claim ${won} TAPS`)
  await expectError(username, password, /^This username is already taken$/)
  await page.keyboard.press('Tab')
  await expect(password).toBeFocused()
  await player.keepPlaying()

  await player.button('Login').click()
  await username.fill('')
  await password.fill(PASSWORD)
  await measure()
  await player.button('Login').click()
  await expectError(username, password, /^Please enter both username and password$/)
  await page.evaluate(SAID)
  await username.press('Enter')
  await expect
    .poll(() => page.evaluate('said'), 'the same mistake is said again')
    .toEqual(['Please enter both username and password'])
  await username.fill(taken)
  await password.fill('not the password')
  await password.press('Enter')
  await expectError(password, username, /^Invalid password$/)
  await username.fill(name)
  await player.button('Login').click()
  await expectError(username, password, /^No account with this username$/)

  await password.fill('')
  await player.button('Create account').click()
  await expect(page.getByRole('heading', { name: 'A new account' })).toBeVisible()
  await expect(username).toHaveValue(name)
  await expect(password).toBeFocused()
  await expect(password).toHaveAttribute('autocomplete', 'new-password')
  await expect(alert, 'the login error is gone').toBeEmpty()
  await password.fill('short')
  await measure()
  await player.button('Create account').click()
  await expectError(password, username, /at least 8 characters/)
  await player.button('I already have an account').click()
  await expect(page.getByRole('heading', { name: 'Login', exact: true })).toBeVisible()
  await expect(alert, 'the sign-up error is gone').toBeEmpty()
  await expect(password).toHaveAttribute('autocomplete', 'current-password')
  await password.fill(PASSWORD)
  await player.button('Login').click()
  await player.button('Create account').click()
  await expect(page.getByText('held for you'), 'the prize no longer expires').toBeHidden()
  await player.pressInClaim(`Claim ${won} TAPS`)
  await player.expectLoggedIn(name)
  await expect(username, 'only guests change their name').not.toBeEditable()
  await player.expectBalance(won)
  await player.play(450)

  await player.button('Logout').click()
  await expect(player.button('Login')).toBeVisible()
  await expect(username).toHaveValue(/^[A-Z][a-z]+ [A-Z][a-z]+ [1-9]\d{0,2}$/)
  await expect(username).not.toHaveValue(handle)
  await expect(username).toBeEditable()
  await player.expectBalance(0)
  await expect(player.region('Result').getByRole('definition')).toHaveCount(0)
  await expect(player.region('Your timing')).toContainText('no rounds yet')
  await page.reload()
  await expect(player.button('Login')).toBeVisible()
})

test('keys that an input method uses leave neither a field nor login mode, and a submitting script keeps the password out of the address', async ({
  player,
  complaints,
}) => {
  complaints.expect(/40\d/)
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

  await player.username.fill('Ada')
  await player.password.fill(PASSWORD)
  const sent = page.waitForRequest(request => request.isNavigationRequest())
  const navigated = page.waitForEvent('framenavigated')
  await page.evaluate("document.querySelector('form').submit()")
  await navigated
  expect((await sent).method()).toBe('POST')
  expect((await sent).url()).not.toContain('?')
})

import { withClient } from '../support/connect.ts'
import { PASSWORD } from '../support/page-player.ts'
import { makeAccount, newName } from './accounts.ts'
import { expect, LONG, test } from './test.ts'

test('login mode has both fields, Login and Cancel, and Cancel leads back', async ({ player }) => {
  const { page } = player
  await player.button('Login').click()
  await expect(player.username).toBeFocused()
  await expect(player.username).toHaveValue('')
  await expect(player.password).toBeVisible()
  await expect(player.button('Login')).toHaveCount(1)
  await expect(player.startButton).toBeHidden()
  await player.button('Cancel').click()
  await expect(player.startButton).toBeEnabled()
  await expect(page.getByRole('textbox', { name: 'Password' })).toBeHidden()
})

test('both fields are required, and nothing is sent without them', LONG, async ({ player }) => {
  const { page } = player
  const sent: string[] = []
  page.on('request', request => sent.push(request.url()))
  for (const [username, password] of [
    ['', ''],
    ['Ada', ''],
    ['  ', PASSWORD],
  ] as const) {
    await player.logIn(username, password)
    await expect(page.getByRole('alert')).toHaveText('Please enter both username and password')
    await expect(page.getByRole('alert')).toHaveCSS('color', await player.themeColour('--wild'))
    await player.button('Cancel').click()
  }
  expect(sent).toEqual([])
})

test('a wrong password is "Invalid password", in red', async ({ player, server, complaints }) => {
  complaints.expect(/401 \(Unauthorized\)/)
  const name = await makeAccount(server)
  await player.logIn(name, 'not the password')
  await expect(player.page.getByRole('alert')).toHaveText('Invalid password')
  await expect(player.page.getByRole('alert')).toHaveCSS('color', await player.themeColour('--wild'))

  await player.password.fill(PASSWORD)
  await player.password.press('Enter')
  await player.expectLoggedIn(name)
})

test('a banned account is told so, in one sentence', LONG, async ({ player, server, complaints }) => {
  complaints.expect(/403 \(Forbidden\)/)
  const name = await makeAccount(server)
  await withClient(server.connection, client =>
    client.query('update users set banned_at = now() where username = $1', [name]),
  )
  await player.logIn(name)
  await expect(player.page.getByRole('alert')).toHaveText(
    'This account is banned; ask whoever runs this game why',
  )
})

test('an unknown username can become an account with one more press', async ({ player, complaints }) => {
  complaints.expect(/404 \(Not Found\)/)
  const name = newName()
  await player.logIn(name)
  await expect(player.page.getByRole('alert')).toHaveText('No account with this username')
  await player.button('Create account').click()
  await player.expectLoggedIn(name)
  await player.expectBalance(0)
})

test('an account keeps its name: the field is read-only', LONG, async ({ player, server }) => {
  const name = await makeAccount(server)
  await player.logIn(name)
  await player.expectLoggedIn(name)
  await expect(player.username).toHaveAttribute('readonly')
  await player.play(333)
  const [newest] = await player.attempts.all()
  await expect(newest ?? player.attempts).toContainText(name)
  await expect(player.attempts.first().getByRole('img', { name: 'account' })).toBeVisible()
})

test('a stored session is restored at load', LONG, async ({ player, server }) => {
  const name = await makeAccount(server)
  await player.logIn(name.toLowerCase())
  await player.expectLoggedIn(name)
  await player.page.reload()
  await player.expectLoggedIn(name)
})

test('a logout that nobody answers says so', LONG, async ({ player, server, complaints }) => {
  complaints.expect(/ERR_FAILED/)
  const name = await makeAccount(server)
  await player.logIn(name)
  await player.expectLoggedIn(name)
  await player.page.route('**/api/logout', route => route.abort())
  await player.button('Logout').click()
  await expect(player.page.getByText('The server cannot be reached. Please try again.')).toBeVisible()
  await player.expectLoggedIn(name)
})

test('logging out makes a new guest with a new handle, and a round of their own', async ({
  player,
  server,
}) => {
  const name = await makeAccount(server)
  const handle = await player.username.inputValue()
  await player.logIn(name)
  await player.expectLoggedIn(name)
  await player.play(450)
  await player.button('Logout').click()

  await expect(player.button('Login')).toBeVisible()
  await expect(player.username).toHaveValue(/^[A-Z][a-z]+ [A-Z][a-z]+ [1-9]\d{0,2}$/)
  await expect(player.username).not.toHaveValue(handle)
  await expect(player.username).toBeEditable()
  await player.expectBalance(0)
  await expect(player.region('Result').getByRole('definition')).toHaveText(['–', '–', '–'])
  await expect(player.region('Your timing')).toContainText('your rounds will show here')
  await player.page.reload()
  await expect(player.button('Login')).toBeVisible()
})

test('an account outside the top ten sees its own rank', LONG, async ({ player, server }) => {
  const name = await makeAccount(server)
  const others = await Promise.all(Array.from({ length: 12 }, () => makeAccount(server)))
  await player.logIn(others.at(-1) ?? name)
  await expect(player.ranks).toHaveCount(10)
  await expect(player.region('Leaderboard')).toContainText(/Your rank: 1[1-9]|Your rank: [2-9]\d/)
})

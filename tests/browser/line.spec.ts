import { PASSWORD } from '../support/page-player.ts'
import { newName } from './accounts.ts'
import { expect, test } from './test.ts'

const FULL = {
  status: 503,
  contentType: 'application/problem+json',
  headers: { 'retry-after': '2' },
  body: JSON.stringify({ status: 503, code: 'unavailable', title: 'The game is taking a short break' }),
}

test('a sign-up that is refused because too many wait says so, waits in line and is served; Cancel leaves the line', async ({
  player,
  complaints,
}) => {
  complaints.expect(/503 \(/)
  const { page } = player
  const name = newName()
  const line = page.getByRole('status').filter({ hasText: 'Many are signing up. You are waiting in line.' })
  const signUp = async () => {
    await player.username.fill(name)
    await player.password.fill(PASSWORD)
    await player.button('Create account').click()
  }
  await page.route('/api/users', route => route.fulfill(FULL))
  await player.button('Login').click()
  await signUp()
  await expect(line).toBeVisible()
  await player.button('Cancel').click()
  await expect(player.startButton).toBeEnabled()
  await player.button('Login').click()
  await signUp()
  await expect(line).toBeVisible()
  await page.unroute('/api/users')
  await player.expectLoggedIn(name)
})

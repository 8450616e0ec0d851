import { PASSWORD } from '../support/page-player.ts'
import { newName } from './accounts.ts'
import { expect, test } from './test.ts'

const IN_LINE = 'Many are signing up. You are waiting in line.'
const OUTAGE = 'The game is taking a short break'

const refusal = (title: string) => ({
  status: 503,
  contentType: 'application/problem+json',
  headers: { 'retry-after': '2' },
  body: JSON.stringify({ status: 503, code: 'unavailable', title }),
})

test('a sign-up that the server lets wait says why as the server does, and is served; Cancel leaves the line', async ({
  player,
  complaints,
}) => {
  complaints.expect(/503 \(/)
  const { page } = player
  const name = newName()
  const line = page.getByRole('status').filter({ hasText: IN_LINE })
  const signUp = async () => {
    await player.username.fill(name)
    await player.password.fill(PASSWORD)
    await player.button('Create account').click()
  }
  await page.route('/api/users', route => route.fulfill(refusal(OUTAGE)))
  await player.button('Login').click()
  await signUp()
  await expect(page.getByRole('status').filter({ hasText: OUTAGE })).toBeVisible()
  await page.route('/api/users', route => route.fulfill(refusal(IN_LINE)))
  await expect(line).toBeVisible()
  await player.button('Cancel').click()
  await expect(player.startButton).toBeEnabled()
  await player.button('Login').click()
  await signUp()
  await expect(line).toBeVisible()
  await page.unroute('/api/users')
  await player.expectLoggedIn(name)
})

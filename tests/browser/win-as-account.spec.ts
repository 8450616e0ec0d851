import { PROBLEMS } from '../../contract/problems.ts'
import { makeAccount } from './accounts.ts'
import { expect, test } from './test.ts'

const CODE = 'too_many_requests'
const { status, title } = PROBLEMS[CODE]

test('a user claims a win with one press, and sees the reason when the claim is refused', async ({
  player,
  server,
  complaints,
}) => {
  complaints.expect(/429 \(Too Many Requests\)/)
  const { page } = player
  const name = await makeAccount(server)
  await player.logIn(name)
  await player.expectLoggedIn(name)
  await player.play(800)
  const won = await player.win(-20)
  await expect(page.getByText('held for you')).toBeHidden()
  await expect(player.region('Track')).toContainText(`+${won} TAPS`)
  const refusal = { status, contentType: 'application/problem+json', json: { status, code: CODE, title } }
  await page.route('**/api/claim', route => route.fulfill(refusal), { times: 1 })
  await player.button(`Claim ${won} TAPS`).click()
  await expect(page.getByRole('alert')).toHaveText(title)
  await player.expectBalance(0)
  await player.button(`Claim ${won} TAPS`).click()

  await player.expectBalance(won)
  await expect(page.getByText(`${won} TAPS claimed. Your balance is ${won} TAPS.`)).toBeVisible()
  await expect(player.ranks.filter({ hasText: name })).toHaveText(new RegExp(`${name}${won}$`))
  await player.start()
})

test('claim mode explains how to claim the prize after a logout in another tab', async ({
  player,
  server,
}) => {
  const { page } = player
  const name = await makeAccount(server)
  await player.logIn(name)
  await player.expectLoggedIn(name)
  await player.win()
  const tab = await page.context().newPage()
  await tab.goto('/')
  await tab.getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByRole('heading', { name: 'You were logged out' })).toBeVisible()
  await expect(player.button('Keep playing')).toBeFocused()
  await expect(page.getByRole('status').filter({ hasText: /^Log in again to claim/ })).toBeVisible()
})

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
  await player.pressInClaim(`Claim ${won} TAPS`)
  await expect(page.getByRole('alert')).toHaveText(title)
  await player.expectBalance(0)
  await player.pressInClaim(`Claim ${won} TAPS`)

  await player.expectBalance(won)
  await expect(page.getByText(`${won} TAPS claimed. Your balance is ${won} TAPS.`)).toBeVisible()
  await expect(player.ranks.filter({ hasText: name })).toHaveText(new RegExp(`${name}${won}$`))
  await player.start()
})

test('the balance counts up after a claim, but not down at a logout', async ({ player, server }) => {
  const { page } = player
  await player.logIn(await makeAccount(server))
  await expect(player.button('Logout')).toBeVisible()
  for (const differenceMs of [800, 900, 1_000]) await player.play(differenceMs)
  const won = await player.win()
  await page.evaluate(`
    globalThis.balances = []
    const balance = document.querySelector('.balance b')
    new MutationObserver(() => balances.push(Number(balance.textContent)))
      .observe(balance, { childList: true, characterData: true, subtree: true })`)
  const seen = () => page.evaluate<number[]>('balances')
  await player.pressInClaim(`Claim ${won} TAPS`)
  await expect.poll(async () => (await seen()).at(-1)).toBe(won)
  expect((await seen()).length, 'counts up').toBeGreaterThan(1)
  await page.evaluate('balances.length = 0')
  await player.button('Logout').click()
  await player.expectBalance(0)
  await player.settle()
  expect(await seen()).toEqual([0])
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

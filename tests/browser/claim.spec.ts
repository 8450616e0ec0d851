import { PROBLEMS } from '../../contract/problems.ts'
import { PASSWORD } from '../support/page-player.ts'
import { newName } from './accounts.ts'
import { expect, test } from './test.ts'

const CODE = 'too_many_requests'
const { status, title } = PROBLEMS[CODE]

test('a guest who signs up sees why the claim or a logout is refused, then claims with one press; the balance counts up, but not down', async ({
  player,
  complaints,
}) => {
  complaints.expect(/429 \(Too Many Requests\)/)
  const { page } = player
  const name = newName()
  for (const differenceMs of [800, 900, 1_000]) await player.play(differenceMs)
  const won = await player.win(-20)
  const refusal = { status, contentType: 'application/problem+json', json: { status, code: CODE, title } }
  await page.route('**/api/claim', route => route.fulfill(refusal), { times: 1 })
  await player.username.fill(name)
  await player.password.fill(PASSWORD)
  await player.pressInClaim(`Create account & claim ${won} TAPS`)
  await expect(page.getByRole('alert')).toHaveText(title)
  await expect(page.getByText('held for you')).toBeHidden()
  await player.expectBalance(0)

  await page.evaluate(`
    globalThis.balances = []
    const balance = document.querySelector('.balance b')
    new MutationObserver(() => balances.push(Number(balance.textContent)))
      .observe(balance, { childList: true, characterData: true, subtree: true })`)
  const seen = () => page.evaluate<number[]>('balances')
  await player.pressInClaim(`Claim ${won} TAPS`)
  await expect.poll(async () => (await seen()).at(-1)).toBe(won)
  expect((await seen()).length, 'counts up').toBeGreaterThan(1)
  await expect(page.getByText(`${won} TAPS claimed. Your balance is ${won} TAPS.`)).toBeVisible()
  await expect(player.region('Track'), 'the balance stands in the place of the time').toHaveText(
    `${won} TAPS`,
  )
  await expect(player.region('Result').getByText('You are 1st.')).toBeVisible()
  await expect(player.region('Result')).not.toContainText('Press Start')
  await expect(player.ranks).toHaveText(`1${name}${won}`)
  await page.evaluate('balances.length = 0')
  await page.route('**/api/logout', route => route.fulfill(refusal), { times: 1 })
  await player.button('Logout').click()
  await expect(page.getByText(title)).toBeVisible()
  await player.expectLoggedIn(name)
  await player.button('Logout').click()
  await player.expectBalance(0)
  await player.settle()
  expect(await seen()).toEqual([0])
})

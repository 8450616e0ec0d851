import type { Page } from '@playwright/test'
import { PROBLEMS } from '../../contract/problems.ts'
import { makeAccount } from './accounts.ts'
import { expect, test } from './test.ts'

const WAIT = PROBLEMS.too_many_requests.title

/** Refuses claims until told otherwise. */
async function refuseClaims(page: Page): Promise<() => Promise<void>> {
  const { status, title } = PROBLEMS.too_many_requests
  const contentType = 'application/problem+json'
  const body = JSON.stringify({ status, code: 'too_many_requests', title })
  await page.route('**/api/claim', route => route.fulfill({ status, contentType, body }))
  return () => page.unroute('**/api/claim')
}

test('an account that wins claims with one press, which says why when it is refused and then works', async ({
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
  await expect(page.getByText('Held for you for')).toBeHidden()
  const allow = await refuseClaims(page)
  await player.button(`Claim ${won} TAPS`).click()
  await expect(page.getByRole('alert')).toHaveText(WAIT)
  await player.expectBalance(0)
  await allow()
  await player.button(`Claim ${won} TAPS`).click()

  await player.expectBalance(won)
  await expect(page.getByText(`${won} TAPS claimed. Your balance is ${won} TAPS.`)).toBeVisible()
  await expect(player.ranks.filter({ hasText: name })).toHaveText(new RegExp(`${name}${won}$`))
  await player.start()
})

test('who logs out in another tab is told in claim mode where the prize is', async ({ player, server }) => {
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
  await expect(page.getByRole('status')).toHaveText(/what you have won waits for your account/)
})

import type { Page } from '@playwright/test'
import { PROBLEMS } from '../../contract/problems.ts'
import { Client } from '../support/client.ts'
import { PASSWORD, type Player } from '../support/page-player.ts'
import { makeAccount, newName } from './accounts.ts'
import { expect, LONG, test } from './test.ts'
import { submit } from './winner.ts'

const WAIT = PROBLEMS.too_many_requests.title

/** Refuses claims until told otherwise. */
async function refuseClaims(page: Page): Promise<() => Promise<void>> {
  const { status, title } = PROBLEMS.too_many_requests
  const contentType = 'application/problem+json'
  const body = JSON.stringify({ status, code: 'too_many_requests', title })
  await page.route('**/api/claim', route => route.fulfill({ status, contentType, body }))
  return () => page.unroute('**/api/claim')
}

/** The reason is shown where the claim was pressed, and the same press works once it may. */
async function expectRefusedThenClaimed(player: Player, won: number, allow: () => Promise<void>) {
  await expect(player.page.getByRole('alert')).toHaveText(WAIT)
  await expect(player.button('Logout')).toBeVisible()
  await player.expectBalance(0)
  await allow()
  await player.button(`Claim ${won} TAPS`).click()
  await player.expectBalance(won)
}

test.beforeEach(({ complaints }) => complaints.expect(/429 \(Too Many Requests\)/))

test('an account’s claim that is refused says why', async ({ player, server }) => {
  const name = await makeAccount(server)
  await player.logIn(name)
  await player.expectLoggedIn(name)
  const won = await player.win()
  const allow = await refuseClaims(player.page)
  await player.button(`Claim ${won} TAPS`).click()
  await expectRefusedThenClaimed(player, won, allow)
})

test('a guest who creates an account is told why its claim was refused', LONG, async ({ player }) => {
  const won = await player.win()
  const allow = await refuseClaims(player.page)
  await submit(player, 'Create account', newName())
  await expectRefusedThenClaimed(player, won, allow)
})

test('a guest who signs in is told why the claim was refused', LONG, async ({ player, server }) => {
  const won = await player.win()
  const allow = await refuseClaims(player.page)
  await submit(player, 'Sign in', await makeAccount(server))
  await expectRefusedThenClaimed(player, won, allow)
})

test(
  'who was logged out elsewhere is told to log in, and finds the prize with the account',
  LONG,
  async ({ player, server, complaints }) => {
    complaints.expect(/401 \(Unauthorized\)/)
    const { page } = player
    const name = await makeAccount(server)
    await player.logIn(name)
    await player.expectLoggedIn(name)
    const won = await player.win()
    await page.request.post('/api/logout')
    await player.button(`Claim ${won} TAPS`).click()
    await expect(page.getByRole('heading', { name: 'You were logged out' })).toBeVisible()
    await expect(page.getByRole('status')).toHaveText(/^Please log in again/)

    await player.logIn(name)
    await player.button(`Claim ${won} TAPS`).click()
    await player.expectBalance(won)
  },
)

test(
  'who logs out in another tab is told in claim mode where the prize is',
  LONG,
  async ({ player, server }) => {
    const { page } = player
    const name = await makeAccount(server)
    await player.logIn(name)
    await player.expectLoggedIn(name)
    await player.win()
    const tab = await page.context().newPage()
    await tab.goto('/')
    await tab.getByRole('button', { name: 'Logout' }).click()
    await expect(page.getByRole('heading', { name: 'You were logged out' })).toBeFocused()
    await expect(page.getByRole('status')).toHaveText(/what you have won waits for your account/)
  },
)

test(
  'who comes too late with a guest’s prize is told that nothing was claimed',
  LONG,
  async ({ player, server }) => {
    const { page } = player
    const [name, faster] = [await makeAccount(server), await makeAccount(server)]
    await player.win()
    const copy = new Client(server.url)
    for (const { name, value } of await page.context().cookies()) copy.cookies.set(name, value)
    await copy.login(faster, PASSWORD)
    await submit(player, 'Sign in', name)
    await expect(page.getByText('Nothing was held for you any more, so nothing was claimed.')).toBeVisible()
    await player.expectBalance(0)
  },
)

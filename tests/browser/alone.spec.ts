import { makeAccount } from './accounts.ts'
import { expect, test } from './test.ts'

test('playing, winning, signing in and claiming asks nobody but the game itself for anything', async ({
  visit,
  server,
}) => {
  const player = await visit()
  const asked: string[] = []
  player.page.context().on('request', request => asked.push(request.url()))
  await player.open()
  const taps = await player.win()
  await player.page.getByRole('tab', { name: 'Sign in' }).click()
  await player.username.fill(await makeAccount(server))
  await player.password.fill('a long enough password')
  await player.button(`Sign in & claim ${taps} TAPS`).click()
  await player.expectBalance(taps)
  await player.page.reload()
  await player.expectBalance(taps)
  expect(asked.length).toBeGreaterThan(10)
  expect(asked.filter(url => !url.startsWith(`${server.url}/`))).toEqual([])
})

test('the page of the contract works under the policy of every page, and asks nobody else', async ({
  player,
}) => {
  const { page } = player
  await page.goto('/api/docs')
  await page.getByRole('button', { name: 'get /api/prize-pool', exact: true }).click()
  await page.getByRole('button', { name: 'Try it out' }).click()
  await page.getByRole('button', { name: 'Execute' }).click()
  await expect(page.getByText('"taps": 0').first()).toBeVisible()
  // What goes against the policy, and what is asked of others, is a complaint that fails the test.
})

import { Player } from '../support/page-player.ts'
import { expect, test } from './test.ts'

// Browsers send no fetch metadata over plain http to a name that is not localhost.
test('a link of another site to the API takes nothing away from a guest with a held prize', async ({
  playwright,
  launchOptions,
  server,
}) => {
  const args = [...(launchOptions.args ?? []), '--host-resolver-rules=MAP *.test 127.0.0.1']
  const browser = await playwright.chromium.launch({ ...launchOptions, args })
  const game = `http://taps.lan.test:${new URL(server.url).port}`
  const player = new Player(await browser.newPage({ baseURL: game }))
  const { page } = player
  await player.open()
  await player.win()
  await player.pressInClaim('Keep playing')
  await expect(player.chip).toBeVisible()
  const cookies = await page.context().cookies(game)

  const link = `<a href="${game}/api/session">A picture of a cat</a>`
  await page.route('http://other.test/', route => route.fulfill({ contentType: 'text/html', body: link }))
  await page.goto('http://other.test/')
  const answer = page.waitForResponse(`${game}/api/session`)
  await page.getByRole('link').click()
  const request = (await answer).request()
  expect(await request.headerValue('sec-fetch-site'), 'the case without fetch metadata').toBeNull()
  expect(await request.headerValue('cookie'), 'Strict cookies of a foreign link').toBeNull()

  expect(await page.context().cookies(game)).toEqual(cookies)
  await page.goto('/')
  await expect(player.wonHeading.or(player.chip)).toBeVisible()
  await browser.close()
})

test('a broken link shows a page of the game that leads to it', async ({ visit, complaints }) => {
  complaints.expect(/404/)
  const { page } = await visit()
  const answer = await page.goto('/%23beat=0.130')
  expect(answer?.status()).toBe(404)
  await expect(page.getByText('There is nothing at this address.')).toBeVisible()
  await page.getByRole('link', { name: 'Play TAPS' }).click()
  await expect(page.getByRole('button', { name: 'Start' })).toBeEnabled()
})

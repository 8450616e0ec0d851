import { makeAccount } from './accounts.ts'
import { PASSWORD } from './player.ts'
import { expect, test } from './test.ts'

test('a second browser sees pool, attempts and leaderboard move by themselves', async ({ player, visit }) => {
  const viewer = await visit()
  await viewer.open()
  const pool = await viewer.pool()
  await player.username.fill('Watched Otter')
  await player.play(612)
  await viewer.expectPool(pool + 1)
  await expect(viewer.attempts.first()).toContainText('Watched Otter')
  await expect(viewer.attempts.first()).toContainText('+0.612 s')

  const won = await player.win(-71)
  await viewer.expectPool(0)
  await expect(viewer.attempts.first()).toContainText('−0.071 s')
  await expect(viewer.attempts.first()).toContainText(`won ${won}`)
  await expect(viewer.attempts.nth(1)).not.toContainText('won')

  const name = `Winner ${process.pid}`
  await player.username.fill(name)
  await player.password.fill(PASSWORD)
  await player.button(`Create account & claim ${won} TAPS`).click()
  await expect(viewer.ranks.filter({ hasText: name })).toHaveText(new RegExp(`${name}${won}$`))
  await expect(viewer.attempts.first(), 'a guest’s attempt becomes the account’s').toContainText(
    /guest|Watched/,
  )
})

test('the feed shows the five most recent attempts, newest first, with times and a mark for guests', async ({
  player,
  visit,
  server,
}) => {
  const viewer = await visit()
  await viewer.open()
  for (const difference of [301, 302, 303, 304, 305, 306]) await player.play(difference)
  await expect(viewer.attempts).toHaveCount(5)
  await expect(viewer.attempts).toContainText(['+0.306 s', '+0.305 s', '+0.304 s', '+0.303 s', '+0.302 s'])
  await expect(viewer.attempts.first()).toContainText(/\d\.\d\d s for \d\.\d\d s/)
  await expect(viewer.attempts.first()).toContainText('guest')

  const name = await makeAccount(server)
  await player.logIn(name)
  await player.play(307)
  await expect(viewer.attempts.first()).toContainText(name)
  await expect(viewer.attempts.first()).not.toContainText('guest')
})

test('the leaderboard shows ten at most, highest first', async ({ player, server }) => {
  const names = await Promise.all(Array.from({ length: 11 }, () => makeAccount(server)))
  await expect(player.ranks).toHaveCount(10)
  const [name = ''] = names
  await player.logIn(name)
  let balance = 0
  for (const times of [1, 2]) {
    const won = await player.win()
    balance += won
    await player.button(`Claim ${won} TAPS`).click()
    await expect(player.startButton, `claimed ${times}`).toBeEnabled()
  }
  await expect(player.ranks.filter({ hasText: name })).toHaveText(new RegExp(`${name}${balance}$`))
  const rows = await player.ranks.allInnerTexts()
  const shown = rows.map(row => Number(row.split('\n').at(-1)?.replaceAll(',', '')))
  expect(shown).toEqual(shown.toSorted((a, b) => b - a))
})

test('the status is "live", and "reconnecting" for as long as the server is away', async ({
  visit,
  ownServer,
  complaints,
}) => {
  complaints.expect(
    /net::ERR_(CONNECTION_REFUSED|INCOMPLETE_CHUNKED_ENCODING|CONNECTION_RESET|EMPTY_RESPONSE)/,
  )
  const player = await visit({ baseURL: ownServer.url })
  await player.open()
  const feed = player.region('Recent attempts')
  await expect(feed.getByText('live', { exact: true })).toBeVisible()
  await ownServer.halt()
  await expect(feed.getByText('reconnecting', { exact: true })).toBeVisible()
  await ownServer.restart()
  await expect(feed.getByText('live', { exact: true })).toBeVisible({ timeout: 30_000 })
  const pool = await player.pool()
  await player.play(700)
  await player.expectPool(pool + 1)
})

test('without a network the status is "offline", and live again as soon as it is back', async ({
  player,
  visit,
  complaints,
}) => {
  complaints.expect(/net::ERR_INTERNET_DISCONNECTED/)
  const other = await visit()
  await other.open()
  const context = player.page.context()
  const feed = player.region('Recent attempts')
  await context.setOffline(true)
  await expect(feed.getByText('offline', { exact: true })).toBeVisible()
  await other.username.fill('Played Meanwhile')
  await other.play(700)
  await context.setOffline(false)
  await expect(feed.getByText('live', { exact: true })).toBeVisible()
  await expect(player.attempts.first()).toContainText('Played Meanwhile')
})

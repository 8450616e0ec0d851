import { Client } from '../support/client.ts'
import { withClient } from '../support/connect.ts'
import { PASSWORD, type Player } from '../support/page-player.ts'
import { makeAccount, newName } from './accounts.ts'
import { playRounds } from './crowd.ts'
import { collectShared, firstShared } from './sharing.ts'
import { expect, test } from './test.ts'

const HAND = [-110, 120, 130, 140, 150]

const second = (player: Player) => player.region('Result').locator('.second')
const summary = (player: Player) => player.region('Your timing').locator('.timing-summary')
const invitation = (player: Player) => player.region('Result').getByText('Closer?')

async function playAll(player: Player, differencesMs: readonly number[]): Promise<void> {
  for (const differenceMs of differencesMs) await player.play(differenceMs)
}

test('a shared hand dares a friend with each hand that begins after the link was opened, until the friend is closer', async ({
  visit,
}) => {
  const sender = await visit()
  await collectShared(sender.page)
  await sender.open()
  await sender.username.fill('mira')
  await playAll(sender, HAND)
  await expect(second(sender)).toHaveText('0.130 s average, 1st today')
  await sender.button('Share the hand').click()
  const { text, url } = await firstShared(sender.page)
  expect(text).toBe('TAPS: 0.130 s average over five stops ⬜⬜⬜⬜⬜ Closer?')
  expect(url).toMatch(/\/#by=mira&hand=0\.130$/)

  const friend = await visit()
  await friend.open()
  await friend.play(-125)
  await friend.page.evaluate(`location.hash = ${JSON.stringify(new URL(url).hash)}`)
  await playAll(friend, [125, 125, 125])
  await expect(second(friend), 'no single result meets the dare').not.toContainText('mira')
  await friend.play(125)
  await expect(second(friend), 'began before the dare').toHaveText('0.125 s average, 1st today')
  await playAll(friend, [-150, 150, -150, 150, 150])
  await expect(second(friend)).toHaveText('0.150 s average, mira was 0.020 s closer')
  await playAll(friend, [130, -130, 130, -130, 130])
  await expect(second(friend)).toHaveText('0.130 s average, as close as mira')
  await playAll(friend, [120, 120, 120, 120, 120])
  await expect(second(friend)).toHaveText('0.120 s average, you beat mira by 0.010 s')
  await playAll(friend, [140, 140, 140, 140, 141])
  await expect(second(friend), 'beaten').toHaveText('0.140 s average')
  await expect(invitation(friend)).toHaveCount(0)
})

test('a hand has no average with a round that is not verified', async ({ player, server }) => {
  const { page } = player
  await playAll(player, HAND.slice(0, 3))
  await withClient(server.connection, client =>
    client.query("update attempts set reason = 'clock' where id = (select max(id) from attempts)"),
  )
  await page.reload()
  await playAll(player, HAND.slice(3))
  await expect(summary(player)).toHaveText(/you stop 0\.130 s late/)
  await expect(summary(player)).not.toContainText('average')
  await expect(second(player)).not.toContainText('average')
})

test('two devices of one user tell one hand, whoever plays its last round', async ({
  visit,
  server,
  complaints,
}) => {
  complaints.expect(/409 \(Conflict\)/)
  const name = await makeAccount(server)
  const [one, two] = [await visit(), await visit()]
  for (const device of [one, two]) {
    await device.open()
    await device.logIn(name)
    await device.expectLoggedIn(name)
  }
  await playAll(one, HAND.slice(0, 4))
  await two.startButton.click()
  await expect(second(two)).toContainText('no longer current')
  await two.play(HAND[4] ?? 0)
  await expect(second(two)).toHaveText('0.130 s average, 1st today')
  await expect(summary(two)).toContainText('0.130 s average')
})

test('a guest who signs up in the middle of a hand ends it under the name of the account', async ({
  player,
}) => {
  const name = newName()
  await playAll(player, HAND.slice(0, 3))
  await player.button('Login').click()
  await player.button('Create account').click()
  await player.username.fill(name)
  await player.password.fill(PASSWORD)
  await player.button('Create account').click()
  await player.expectLoggedIn(name)
  await playAll(player, HAND.slice(3))
  await expect(second(player)).toHaveText('0.130 s average, 1st today')
  await player.page.getByRole('tab', { name: 'Today' }).click()
  await expect(player.region('Leaderboard').locator('[data-kind="own"]')).toHaveText(`1${name} 0.130 s`)
})

test('a hand that others beat says what it is better than, and a win ends a hand too', async ({
  player,
  server,
}) => {
  for (let count = 0; count < 10; count += 1)
    await playRounds(new Client(server.url), [101, 101, 101, 101, 101], 'fast')
  await playAll(player, [200, -200, 200, -200, 200])
  await expect(second(player)).toHaveText('0.200 s average')
  await playAll(player, [150, 150, -150, 150])
  await player.start()
  await player.stop(-100)
  await expect(second(player)).toHaveText('0.140 s average, better than 0.200 s')
  await expect(player.wonHeading).toBeVisible()
})

import { Client } from '../support/client.ts'
import type { Player } from '../support/page-player.ts'
import { fillLeaderboard, playRounds, setScene } from './crowd.ts'
import { expect, test } from './test.ts'

/** The differences of the player's earlier rounds in README's screenshot, in ms; none of them wins. */
const PAST = [
  ...[-270, 120, -180, 900, 130, -140, 410, 160, -150, 190, 120, -300, 140, 165, -130, 110, -170, 115, 150],
  ...[-190, 135, -155, 180, -110, 145, -105, 125, 155],
]

async function openNamed(player: Player): Promise<void> {
  await player.open()
  await player.username.fill('Swift Heron 412')
  await player.username.blur()
  await player.expectPool(47)
}

test('takes the screenshot of README.md, a near miss', async ({ visit, server }) => {
  const player = await visit({ viewport: { width: 1_280, height: 800 } })
  const { page } = player
  await fillLeaderboard(server.url)
  await player.open()
  // With the page's cookies, the client's rounds belong to the page's player.
  const client = new Client(server.url)
  for (const { name, value } of await page.context().cookies()) client.cookies.set(name, value)
  await playRounds(client, PAST)
  await setScene(server.url)
  await openNamed(player)
  await player.play(141)
  await expect(page.getByText(/short of/)).toBeVisible()
  await page.mouse.move(0, 0)
  await player.settle()
  await page.screenshot({ path: 'docs/screenshot.png' })
})

test('takes the preview card of a shared link', async ({ visit, server }) => {
  const player = await visit({ viewport: { width: 800, height: 420 }, deviceScaleFactor: 1.5 })
  await setScene(server.url)
  await openNamed(player)
  await player.settle()
  await player.page.screenshot({ path: 'web/public/card.png' })
})

import type { Page } from '@playwright/test'
import { Client } from '../server/testing/client.ts'
import { newName } from './accounts.ts'
import { gatherCrowd, playRounds, setScene } from './crowd.ts'
import type { Player } from './player.ts'
import { expect, test } from './test.ts'

/** How the player of the pictures has been stopping, in ms, oldest first; never close enough to win. */
const PAST = [
  ...[-270, 120, -180, 900, 130, -140, 410, 160, -150, 190, 120, -300, 140, 165, -130, 110, -170, 115, 150],
  ...[-190, 135, -155, 180, -110, 145, -105, 125, 155, -135],
]

const STATES: readonly { state: string; reach: (player: Player) => Promise<unknown> }[] = [
  { state: 'idle', reach: async () => undefined },
  { state: 'running', reach: player => player.start().then(() => player.page.waitForTimeout(1_800)) },
  { state: 'result', reach: player => player.win(38).then(() => player.keepPlaying()) },
  { state: 'miss', reach: player => player.play(1_590) },
  { state: 'claim', reach: player => player.win(38) },
  { state: 'login', reach: player => logInAsNobody(player) },
  { state: 'account', reach: player => logInAsNobody(player).then(() => makeAccount(player)) },
  {
    state: 'account-claim',
    reach: player =>
      logInAsNobody(player)
        .then(() => makeAccount(player))
        .then(() => player.win()),
  },
]

test.beforeAll(({ server }) => gatherCrowd(server.url))

for (const { state, reach } of STATES) {
  for (const [colorScheme, widths] of [
    ['dark', [360, 768, 1_280]],
    ['light', [1_280]],
  ] as const) {
    for (const width of widths) {
      test(`${state} at ${width} px, ${colorScheme}`, async ({ visit, server, complaints }) => {
        complaints.expect(/404 \(Not Found\)/)
        const player = await visit({ viewport: { width, height: 860 }, colorScheme })
        await player.open()
        await playRounds(await sameBrowser(player.page, server.url), PAST)
        await setScene(server.url)
        await player.page.reload()
        await player.username.fill('Swift Heron 412')
        await player.username.blur()
        await reach(player)
        await expect(player.page.locator('canvas')).toHaveCount(0)
        await player.page.mouse.move(0, 0)
        await player.settle()
        const path = `screenshots/${state}-${width}-${colorScheme}.png`
        await player.page.screenshot({ path, fullPage: true })
      })
    }
  }
}

/** A client with the cookies of a page: what it plays is the page's own past. */
async function sameBrowser(page: Page, url: string): Promise<Client> {
  const client = new Client(url)
  for (const { name, value } of await page.context().cookies()) client.cookies.set(name, value)
  return client
}

async function logInAsNobody(player: Player): Promise<void> {
  await player.logIn(newName())
  await expect(player.button('Create account')).toBeVisible()
}

async function makeAccount(player: Player): Promise<void> {
  await player.button('Create account').click()
  await expect(player.button('Logout')).toBeVisible()
}

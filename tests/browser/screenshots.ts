import { mkdir, writeFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { Client } from '../support/client.ts'
import { PASSWORD, type Player } from '../support/page-player.ts'
import { newName } from './accounts.ts'
import { gatherCrowd, playRounds, setScene } from './crowd.ts'
import type { GameServer } from './server.ts'
import { expect, test } from './test.ts'

/** The past differences of the pictures' player, in ms, oldest first; none of them wins. */
const PAST = [
  ...[-270, 120, -180, 900, 130, -140, 410, 160, -150, 190, 120, -300, 140, 165, -130, 110, -170, 115, 150],
  ...[-190, 135, -155, 180, -110, 145, -105, 125, 155, -135],
]

const SCREENS = ['320x568', '390x844', '844x390', '1280x800', '1920x1080']

/** The browser's font size, in px. */
const FONTS = [16, 24]

interface State {
  readonly state: string
  readonly reach: (player: Player, server: GameServer) => Promise<unknown>
}

const STATES: readonly State[] = [
  { state: 'loading', reach: ({ page }) => holdSession(page) },
  { state: 'idle', reach: async () => undefined },
  { state: 'running', reach: player => player.start().then(() => player.page.waitForTimeout(1_800)) },
  { state: 'perfect', reach: player => player.win(0).then(() => player.keepPlaying()) },
  { state: 'near', reach: player => player.win(-80).then(() => player.keepPlaying()) },
  { state: 'fair', reach: player => player.play(250) },
  { state: 'off', reach: player => player.play(-450) },
  { state: 'beyond', reach: player => player.play(6_000) },
  { state: 'offline', reach: player => goOffline(player) },
  { state: 'login-unknown', reach: player => logInAsNobody(player) },
  {
    state: 'account-menu',
    reach: player => becomeAccount(player).then(() => player.button('Account').click()),
  },
  { state: 'claim', reach: player => player.win(38) },
  { state: 'claim-sign-in', reach: player => claimWrongly(player) },
  { state: 'claim-account', reach: player => becomeAccount(player).then(() => player.win()) },
  { state: 'claimed', reach: player => claim(player) },
]

test.beforeAll(async ({ server }) => {
  await mkdir('screenshots', { recursive: true })
  await gatherCrowd(server.url)
})

for (const { state, reach } of STATES) {
  test(state, async ({ visit, server, complaints }) => {
    complaints.expect(/\b40[0149] \(|net::ERR_INTERNET_DISCONNECTED/)
    const player = await visit()
    await setStage(player, server)
    await reach(player, server)
    await takePictures(player, state)
  })
}

test('the card of a shared link', async ({ visit, server }) => {
  const player = await visit({ viewport: { width: 800, height: 420 }, deviceScaleFactor: 1.5 })
  await setScene(server.url)
  await player.open()
  await player.username.fill('Swift Heron 412')
  await player.username.blur()
  await player.expectPool(47)
  await player.settle()
  await player.page.screenshot({ path: 'web/public/card.png' })
})

/** The player's own past, then the pool and the feed of the pictures. */
async function setStage(player: Player, server: GameServer): Promise<void> {
  await player.open()
  await playRounds(await sameBrowser(player.page, server.url), PAST)
  await setScene(server.url)
  await player.page.reload()
  await player.username.fill('Swift Heron 412')
  await player.username.blur()
}

async function takePictures(player: Player, state: string): Promise<void> {
  const { page } = player
  await expect(page.locator('canvas')).toHaveCount(0)
  await page.mouse.move(0, 0)
  const cdp = await page.context().newCDPSession(page)
  for (const font of FONTS) {
    for (const screen of SCREENS) {
      const [width = 0, height = 0] = screen.split('x').map(Number)
      await page.setViewportSize({ width, height })
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme })
        await cdp.send('Page.setFontSizes', { fontSizes: { standard: font } })
        await player.settle()
        // Playwright's own screenshot resets the font size.
        const { data } = await cdp.send('Page.captureScreenshot')
        const path = `screenshots/${state}-${screen}-${font}-${colorScheme}.png`
        await writeFile(path, Buffer.from(data, 'base64'))
      }
    }
  }
}

/** A client with the cookies of a page: its rounds become the page's history. */
async function sameBrowser(page: Page, url: string): Promise<Client> {
  const client = new Client(url)
  for (const { name, value } of await page.context().cookies()) client.cookies.set(name, value)
  return client
}

async function holdSession(page: Page): Promise<void> {
  await page.route('**/api/session', () => undefined)
  await page.reload({ waitUntil: 'commit' })
  await expect(page.getByText('Loading...')).toBeVisible()
}

async function goOffline({ page }: Player): Promise<void> {
  await page.context().setOffline(true)
  await expect(page.getByText('offline', { exact: true })).toBeVisible()
}

async function logInAsNobody(player: Player): Promise<void> {
  await player.logIn(newName())
  await expect(player.button('Create account')).toBeVisible()
}

async function becomeAccount(player: Player): Promise<void> {
  await logInAsNobody(player)
  await player.button('Create account').click()
  await expect(player.button('Logout')).toBeVisible()
}

async function claimWrongly(player: Player): Promise<void> {
  const won = await player.win(38)
  await player.page.getByRole('tab', { name: 'Sign in' }).click()
  await player.username.fill('mira')
  await player.password.fill(`not ${PASSWORD}`)
  await player.button(`Sign in & claim ${won} TAPS`).click()
  await expect(player.page.getByRole('alert')).toHaveText('Invalid password')
}

async function claim(player: Player): Promise<void> {
  await becomeAccount(player)
  const won = await player.win()
  await player.button(`Claim ${won} TAPS`).click()
  await player.expectBalance(won)
}

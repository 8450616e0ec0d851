import { AxeBuilder } from '@axe-core/playwright'
import decodeQr from 'qr/decode.js'
import { Client } from '../support/client.ts'
import type { Player } from '../support/page-player.ts'
import { playRounds } from './crowd.ts'
import { expect, test } from './test.ts'

/** Board mode, opened by `#board`, shows the game on a wall or in a video stream. */

/** Opens board mode; returns a list that receives the path of every request. */
async function openBoard(player: Player, hash = '#board'): Promise<string[]> {
  const paths: string[] = []
  player.page.on('request', request => paths.push(new URL(request.url()).pathname))
  await player.page.goto(`/${hash}`)
  await expect(player.region('Leaderboard')).toBeVisible()
  return paths
}

const amount = (player: Player) => player.region('Prize pool').locator('.wall-taps')

async function poolOf(player: Player): Promise<number> {
  await expect(amount(player)).toHaveText(/^\d+$/)
  return Number(await amount(player).innerText())
}

test('board mode opens only the live stream and creates no session, cookie or guest', async ({
  visit,
  server,
}) => {
  const player = await visit({ viewport: { width: 1_280, height: 720 } })
  const { page } = player
  const paths = await openBoard(player)
  const pool = await poolOf(player)
  await playRounds(new Client(server.url), [612], 'Watched Otter')
  await expect(player.attempts.first()).toContainText('Watched Otter')
  await expect(player.attempts.first()).toContainText('+0.612 s')
  await expect(amount(player)).toHaveText(String(pool + 1))
  expect(paths.filter(path => path.startsWith('/api/'))).toEqual(['/api/live'])
  expect(await page.context().cookies()).toEqual([])
  expect(await page.evaluate('localStorage.length')).toBe(0)
})

test('board mode has no controls, fills the window and is accessible', async ({ visit }) => {
  for (const [width, height] of [
    [1_280, 720],
    [1_920, 1_080],
  ] as const) {
    const player = await visit({ viewport: { width, height } })
    const { page } = player
    await openBoard(player)
    await expect(page.getByRole('heading', { level: 1, name: 'TAPS' })).toBeVisible()
    await expect(player.region('Leaderboard')).toBeVisible()
    await expect(page.locator('button, a, input, [tabindex]')).toHaveCount(0)
    expect(await page.evaluate('document.documentElement.scrollHeight')).toBe(height)
    const ends = await page.evaluate<number[]>(
      `Array.from(document.querySelectorAll('.wall .board'), board =>
        board.getBoundingClientRect().bottom - board.querySelector('.rows').getBoundingClientRect().bottom)`,
    )
    for (const end of ends) expect(end, 'the rows end inside their board').toBeGreaterThan(0)
    await page.emulateMedia({ colorScheme: 'light' })
    await player.settle()
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
  }
})

test('board mode celebrates a new win in gold, with name, amount and confetti', async ({ visit, server }) => {
  const player = await visit({ viewport: { width: 1_280, height: 720 } })
  const { page } = player
  await openBoard(player)
  const pool = await poolOf(player)
  await playRounds(new Client(server.url), [38], 'Gold Finch')
  const hero = player.region('Prize pool')
  await expect(hero).toHaveAttribute('data-won', 'true')
  await expect(amount(player)).toHaveText(`+${pool + 1}`)
  await expect(hero).toContainText(`Gold Finch guest won ${pool + 1} TAPS, just now`)
  await expect(page.locator('canvas')).toHaveCount(1)
  await expect(hero).toHaveAttribute('data-won', 'false')
  await expect(amount(player)).toHaveText('0')
  await page.reload()
  await expect(hero).toContainText('Gold Finch')
  expect(await hero.getAttribute('data-won'), 'an old win is not celebrated again').toBe('false')
})

test('board mode celebrates a win in gold without confetti under reduced motion', async ({
  visit,
  server,
}) => {
  const player = await visit({ reducedMotion: 'reduce' })
  await openBoard(player)
  await poolOf(player)
  await playRounds(new Client(server.url), [38])
  await expect(player.region('Prize pool')).toHaveAttribute('data-won', 'true')
  await expect(player.page.locator('canvas')).toHaveCount(0)
})

test('Escape or a press leaves board mode; the "Board mode" button ends a run and opens board mode', async ({
  visit,
}) => {
  const player = await visit()
  const { page } = player
  await openBoard(player)
  await page.keyboard.press('Escape')
  await expect(player.startButton).toBeEnabled()
  expect(new URL(page.url()).hash).toBe('')
  await player.start()
  await player.button('Board mode').click()
  await expect(player.stopButton).toBeHidden()
  await expect(page.locator('.wall')).toBeVisible()
  await page.keyboard.press('Space')
  await page.locator('.wall').click()
  await expect(player.startButton).toBeEnabled()
  await expect(page.getByText('The round was interrupted')).toBeVisible()
  await page.goForward()
  await expect(page.locator('.wall')).toBeVisible()
})

test('board mode reconnects by itself after an outage', async ({ visit, ownServer, complaints }) => {
  complaints.expect(/ERR_|503|incomplete/)
  const player = await visit({ baseURL: ownServer.url })
  await openBoard(player)
  await expect(player.page.getByText('live', { exact: true })).toBeVisible()
  await ownServer.halt()
  await expect(player.page.getByText('reconnecting', { exact: true })).toBeVisible()
  await ownServer.restart()
  await playRounds(new Client(ownServer.url), [444], 'Early Bird')
  await expect(player.attempts.first()).toContainText('Early Bird')
})

test('board mode has a transparent background at #board&transparent', async ({ visit }) => {
  const player = await visit()
  const { page } = player
  await openBoard(player, '#board&transparent')
  await expect(page.locator('html')).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)')
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)')
  await expect(page.locator('body')).toHaveCSS('background-image', 'none')
})

/** Decodes the QR code as a phone's camera sees it. */
async function decodeCode({ page }: Player): Promise<string> {
  const picture = await page.locator('.wall-code').screenshot({ animations: 'disabled' })
  const [width = 0, height = 0, ...data] = await page.evaluate<number[]>(
    `(async () => {
      const image = new Image()
      image.src = 'data:image/png;base64,${picture.toString('base64')}'
      await image.decode()
      const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d')
      canvas.drawImage(image, 0, 0)
      return [image.width, image.height, ...canvas.getImageData(0, 0, image.width, image.height).data]
    })()`,
  )
  return decodeQr({ width, height, data: Uint8Array.from(data) }, { timeLimit: Number.POSITIVE_INFINITY })
}

test('board mode says how to start a game for phones when only this computer can reach it', async ({
  visit,
}) => {
  const player = await visit()
  await openBoard(player)
  await expect(player.page.getByText('start with HOST=0.0.0.0 npm start')).toBeVisible()
})

test("board mode shows the address that the page's head names as text and as a QR code", async ({
  visit,
}) => {
  for (const colorScheme of ['dark', 'light'] as const) {
    const player = await visit({ viewport: { width: 1_280, height: 720 }, colorScheme })
    await player.page.route('/', async route => {
      const response = await route.fetch()
      const meta = '<meta name="join" content="https://taps.example.org"></head>'
      await route.fulfill({ response, body: (await response.text()).replace('</head>', meta) })
    })
    await openBoard(player)
    await expect(player.page.getByText('Play at taps.example.org')).toBeVisible()
    expect(await decodeCode(player)).toBe('https://taps.example.org/')
  }
})

test('board mode says for a while that the screen may sleep, where the browser grants no wake lock', async ({
  visit,
}) => {
  const player = await visit({ viewport: { width: 1_280, height: 720 } })
  const { page } = player
  await page.addInitScript('delete Navigator.prototype.wakeLock')
  await page.clock.install()
  await openBoard(player)
  await expect(page.getByText('This screen may go to sleep')).toBeVisible()
  await page.clock.fastForward(20_000)
  await expect(page.getByText('This screen may go to sleep')).toBeHidden()
  await expect(page.getByText('the whole pool is yours')).toBeVisible()
})

/** The file of board mode. */
const CHUNK = '**/assets/BoardMode-*.js'

test('a board that cannot be loaded says so, and the next press loads it', async ({ player, complaints }) => {
  complaints.expect(/net::ERR_FAILED/)
  const { page } = player
  await page.route(CHUNK, route => route.abort())
  await page.route('/', route => route.abort())
  await player.button('Board mode').click()
  await expect(page.getByText('Board mode could not be loaded.')).toBeVisible()
  expect(new URL(page.url()).hash).toBe('')
  await player.play(700)
  await page.unroute(CHUNK)
  await page.unroute('/')
  await player.button('Board mode').click()
  await expect(amount(player)).toBeVisible()
})

test('a board that an upgrade has replaced is loaded by one reload', async ({ player, complaints }) => {
  complaints.expect(/404|410/)
  const { page } = player
  let loads = 0
  page.on('load', () => {
    loads += 1
  })
  await page.route(CHUNK, route => route.fulfill({ status: 404 }), { times: 1 })
  await player.button('Board mode').click()
  await expect(amount(player)).toBeVisible()
  expect(loads).toBe(1)
})

import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import decodeQr from 'qr/decode.js'
import { Client } from '../support/client.ts'
import type { Player } from '../support/page-player.ts'
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

test('board mode has no controls, fills the window, celebrates wins, and opens only the live stream', async ({
  visit,
  server,
}) => {
  const player = await visit({ colorScheme: 'light' })
  const { page } = player
  const paths = await openBoard(player)
  await expect(page.getByRole('heading', { level: 1, name: 'TAPS' })).toBeVisible()
  await expect(page.getByText('Only this computer can play.')).toBeVisible()
  await expect(page.locator('.empty')).toHaveText(['No one yet.', 'No attempts yet.'])
  await expect(amount(player)).toHaveText('0')
  await new Client(server.url).play(612, 'Watched Otter')
  await expect(player.attempts).toHaveText(/^Watched Otter.*\+0\.612 s/)
  await expect(amount(player)).toHaveText('1')
  await expect(page.getByText('Only this computer can play.'), 'once somebody has played').toHaveCount(0)
  await expect(page.locator('button, a, input, [tabindex]')).toHaveCount(0)
  for (const [width, height] of [
    [1_280, 720],
    [1_920, 1_080],
  ] as const) {
    await page.setViewportSize({ width, height })
    await player.settle()
    expect(await page.evaluate('document.documentElement.scrollHeight')).toBe(height)
    const ends = await page.evaluate<number[]>(
      `Array.from(document.querySelectorAll('.wall .board'), board =>
        board.getBoundingClientRect().bottom - board.querySelector('.rows').getBoundingClientRect().bottom)`,
    )
    for (const end of ends) expect(end, 'the rows end inside their board').toBeGreaterThan(0)
  }
  expect((await new AxeBuilder({ page }).setLegacyMode().analyze()).violations).toEqual([])

  await new Client(server.url).play(38, 'Gold Finch')
  const hero = player.region('Prize pool')
  await expect(hero).toHaveAttribute('data-won', 'true')
  await expect(amount(player)).toHaveText('+2')
  await expect(hero).toContainText('Gold Finch guest won 2 TAPS, just now')
  await expect(page.locator('canvas')).toHaveCount(1)
  await expect(hero).toHaveAttribute('data-won', 'false')
  await expect(amount(player)).toHaveText('0')
  expect(paths.filter(path => path.startsWith('/api/'))).toEqual(['/api/live'])
  expect(await page.context().cookies()).toEqual([])
  expect(await page.evaluate('localStorage.length')).toBe(0)

  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.reload()
  await expect(hero).toContainText('Gold Finch')
  expect(await hero.getAttribute('data-won'), 'an old win is not celebrated again').toBe('false')
  await new Client(server.url).play(38)
  await expect(hero).toHaveAttribute('data-won', 'true')
  await expect(page.locator('canvas')).toHaveCount(0)
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

/** Loads a picture and evaluates `script`, which reads `width`, `height` and the bytes `data`. */
async function inspect<Result>(page: Page, picture: Buffer, script: string): Promise<Result> {
  return page.evaluate<Result>(`(async () => {
    const image = new Image()
    image.src = 'data:image/png;base64,${picture.toString('base64')}'
    await image.decode()
    const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d')
    canvas.drawImage(image, 0, 0)
    const { width, height, data } = canvas.getImageData(0, 0, image.width, image.height)
    return ${script}
  })()`)
}

const PARTS = ['Prize pool', 'Leaderboard', 'Recent attempts']

/** The parts that each address shows. */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  '#board&transparent': PARTS,
  '#board&show=pool&transparent&scheme=light': ['Prize pool'],
  '#board&show=leaderboard&transparent': ['Leaderboard'],
  '#board&show=attempts&transparent': ['Recent attempts'],
  '#board&show=today&transparent': ['Today'],
}

/** The colours of text in the theme. */
const TEXT = { light: 'rgb(29, 24, 43)', dark: 'rgb(243, 239, 230)' } as const

const OVERLAYS = [
  { width: 800, height: 600 },
  { width: 400, height: 800 },
]

/** A strip, which is too low for the whole wall. */
const STRIP = { width: 1_920, height: 300 }

/** Describes what leaves the window, is cut at the bottom, or is too small to read in a video. */
const MISFITS = `Array.from(document.querySelectorAll('.wall *')).flatMap(element => {
  const { left, top, right, bottom } = element.getBoundingClientRect()
  // A tag that does not fit beside a name wraps out of view.
  if (element.matches('.tag') && top >= element.parentElement.getBoundingClientRect().bottom) return []
  const isOutside = left < 0 || top < 0 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5
  const isCut = element.matches('.row, .rows, .board') && element.scrollHeight > element.clientHeight + 2
  const isSmall = right > left && element.matches('p, span, bdi, h2') && parseFloat(getComputedStyle(element).fontSize) < 12
  return isOutside || isCut || isSmall ? [element.className || element.tagName] : []
})`

/** What full rows of the widest letters leave. A single card would leave less. */
const LEAST_TRANSPARENT = 0.7

/** The share of the page's pixels through which a video is fully visible. */
async function shareOfTransparent(page: Page): Promise<number> {
  const picture = await page.screenshot({ omitBackground: true, animations: 'disabled' })
  return inspect(
    page,
    picture,
    'data.filter((alpha, at) => at % 4 === 3 && alpha === 0).length / (width * height)',
  )
}

/** Gives the board ten rows, five attempts and a large pool, with the widest names. */
const FILL = `{
  const { parse } = JSON
  const username = 'W'.repeat(32)
  JSON.parse = text => {
    const body = parse(text)
    const [first] = body?.attempts ?? []
    if (first) body.attempts = [1, 2, 3, 4, 5].map(id => ({ ...first, id, username, won_taps: 12_345 }))
    if (body?.leaderboard) body.leaderboard = Array(10).fill({ username, taps_balance: 123_456 })
    if (body?.today) body.today = Array(10).fill({ username, is_guest: true, average: 12.345 })
    if (body?.last_win) Object.assign(body, { taps: 1_234_567, last_win: { ...body.last_win, won_taps: 12_345 } })
    return body
  }
}`

test('an overlay shows its parts alone, which fit its window; only text and marks are opaque', async ({
  visit,
  server,
}) => {
  await new Client(server.url).play(38, 'Gold Finch')
  const player = await visit({ reducedMotion: 'reduce' })
  const { page } = player
  await page.addInitScript(FILL)
  for (const [hash, parts] of Object.entries(SHOWN)) {
    await page.goto('about:blank')
    await page.goto(`/${hash}`)
    for (const part of parts)
      await expect(player.region(part)).toContainText(/1,234,567|123,456|12,345|12\.345/)
    await expect(page.getByRole('region')).toHaveCount(parts.length)
    await expect(page.locator('.wall-join')).toHaveCount(0)
    // Whatever the browser prefers, which is dark here.
    const scheme = hash.includes('scheme=light') ? 'light' : 'dark'
    expect(await page.evaluate('getComputedStyle(document.body).color'), hash).toBe(TEXT[scheme])
    expect((await new AxeBuilder({ page }).setLegacyMode().analyze()).violations, hash).toEqual([])
    await page.keyboard.press('q')
    for (const viewport of parts.length === 1 ? [...OVERLAYS, STRIP] : OVERLAYS) {
      await page.setViewportSize(viewport)
      expect(await player.settle(MISFITS), `${hash}, ${viewport.width}×${viewport.height}`).toEqual([])
    }
    expect(await shareOfTransparent(page), hash).toBeGreaterThan(LEAST_TRANSPARENT)
  }
})

const WALLS = ['1920x1080', '1280x720', '1024x768', '1080x1920', '800x1280', '768x1024']

/** Describes the parts of the wall that cover each other, and the space that they leave free, in whole percent. */
const PLACED = `(() => {
  const parts = Array.from(document.querySelectorAll('.wall .card'), part => [part.innerText.split('\\n')[0], part.getBoundingClientRect()])
  const covered = parts.flatMap(([name, box], at) => parts.slice(at + 1).flatMap(([other, next]) =>
    box.left < next.right && next.left < box.right && box.top < next.bottom && next.top < box.bottom ? [name + ' and ' + other] : []))
  const used = parts.reduce((sum, [, { width, height }]) => sum + width * height, 0)
  return { covered, free: Math.round(100 - 100 * used / innerWidth / innerHeight), misfits: ${MISFITS} }
})()`

/** The largest share of the window that margins and gaps take, in percent. */
const MOST_FREE = 16

test('the parts of the wall fill landscape and portrait screens, with and without an address to join, and cover nothing', async ({
  visit,
  server,
}) => {
  await new Client(server.url).play(38, 'Gold Finch')
  for (const address of [null, 'https://taps.example.org']) {
    const player = await visit({ reducedMotion: 'reduce' })
    const { page } = player
    await page.addInitScript(FILL)
    if (address !== null) await player.nameAddress(address)
    await openBoard(player)
    await expect(page.locator('.wall-join')).toHaveCount(address === null ? 0 : 1)
    for (const key of address === null ? ['1'] : ['1', 'q']) {
      await page.keyboard.press(key)
      for (const wall of WALLS) {
        const [width = 0, height = 0] = wall.split('x').map(Number)
        await page.setViewportSize({ width, height })
        const placed = await player.settle<{ free: number }>(PLACED)
        expect(placed, `${wall}, ${address}, ${key}`).toMatchObject({ covered: [], misfits: [] })
        expect(placed.free, `${wall}, ${address}, ${key}`).toBeLessThan(MOST_FREE)
      }
    }
  }
})

test('the digits of the pool do not touch on the wall', async ({ visit, server }) => {
  await new Client(server.url).play(400)
  const player = await visit({ reducedMotion: 'reduce' })
  await player.page.addInitScript(
    '{ const { parse } = JSON; JSON.parse = text => Object.assign(parse(text), { taps: 44 }) }',
  )
  await openBoard(player)
  await expect(amount(player)).toHaveText('44')
  const picture = await amount(player).screenshot()
  // The columns of the picture without gold, between the first digit and the second.
  const gap = await inspect<number>(
    player.page,
    picture,
    `Array.from({ length: width }, (_, x) => Array.from({ length: height }, (_, y) => data[4 * (y * width + x)])
      .some(red => red > 128) ? 'x' : ' ').join('').trim().split('x').join('').length / height`,
  )
  expect(gap, 'the gap between the digits, in line heights').toBeGreaterThan(0.02)
})

/** Measures the light space around the QR code on all four sides, in modules. */
const QUIET_ZONE = `(() => {
  const { x, y, width, height } = document.querySelector('.wall-code').viewBox.baseVal
  const code = document.querySelector('.wall-code path').getBBox()
  return [code.x - x, code.y - y, x + width - code.x - code.width, y + height - code.y - code.height]
})()`

/** Decodes the QR code as a phone's camera sees it. */
async function decodeCode({ page }: Player): Promise<string> {
  const picture = await page.locator('.wall-code').screenshot({ animations: 'disabled' })
  const script = '{ width, height, text: Array.from(data, byte => String.fromCharCode(byte)).join("") }'
  const { text, ...size } = await inspect<{ width: number; height: number; text: string }>(
    page,
    picture,
    script,
  )
  return decodeQr({ ...size, data: Buffer.from(text, 'latin1') }, { timeLimit: Number.POSITIVE_INFINITY })
}

test('board mode shows the address to join as text and as a QR code, large on Q, and for a while that the screen may sleep', async ({
  visit,
  server,
}) => {
  const player = await visit({ viewport: { width: 1_280, height: 720 } })
  const { page } = player
  await page.addInitScript('delete Navigator.prototype.wakeLock')
  await page.clock.install()
  await player.nameAddress('https://taps.example.org')
  await openBoard(player)
  await expect(page.getByText('Play at taps.example.org')).toBeVisible()
  await expect(page.locator('.empty')).toHaveText([
    'No one yet. Scan the code.',
    'No attempts yet. Scan the code.',
  ])
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await player.settle()
    expect(await decodeCode(player)).toBe('https://taps.example.org/')
  }
  expect(await page.evaluate(QUIET_ZONE), 'as ISO 18004 asks').toEqual([4, 4, 4, 4])
  await expect(page.getByText('This screen may go to sleep')).toBeVisible()
  await page.clock.fastForward(20_000)
  await expect(page.getByText('This screen may go to sleep')).toBeHidden()

  const widthOf = async () => (await page.locator('.wall-code').boundingBox())?.width ?? 0
  await page.setViewportSize({ width: 1_920, height: 1_080 })
  expect(await widthOf(), 'the code is large until the first attempt').toBeGreaterThanOrEqual(430)
  await new Client(server.url).play(612)
  await expect.poll(widthOf, 'after the first attempt').toBeCloseTo(270, 0)
  await page.keyboard.press('q')
  await expect.poll(widthOf, 'after Q').toBeGreaterThanOrEqual(430)
  await page.keyboard.press('q')
  await expect.poll(widthOf, 'after Q again').toBeCloseTo(270, 0)
  await expect(page.getByText('the whole pool is yours')).toBeVisible()
})

test('a board that cannot be loaded says so, the game goes on, and a reload loads the board of an upgraded server', async ({
  player,
  complaints,
}) => {
  complaints.expect(/404/)
  const { page } = player
  await page.route('**/assets/BoardMode-*.js', route => route.fulfill({ status: 404 }))
  await player.button('Board mode').click()
  await expect(page.getByText('Board mode could not be loaded. Reload the page')).toBeVisible()
  await expect(page).toHaveURL(({ hash }) => hash === '')
  await player.play(700)
  await page.unroute('**/assets/BoardMode-*.js')
  await page.reload()
  await player.button('Board mode').click()
  await expect(amount(player)).toBeVisible()
})

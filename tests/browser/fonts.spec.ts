import { FONTS, fontVariables } from '../support/chromium.ts'
import { Player } from '../support/page-player.ts'
import { expect, test } from './test.ts'

/** The fallback of `web/theme.css` for the font that each browser knows. */
const FALLBACKS: Readonly<Record<(typeof FONTS)[number], string>> = {
  dejavu: 'Space Grotesk DejaVu',
  liberation: 'Space Grotesk Arial',
  roboto: 'Space Grotesk Arial',
}

/** The families of the fonts in use. */
const LOADED = `Array.from(document.fonts).filter(({ status }) => status === 'loaded')
  .map(({ family }) => family.replaceAll('"', ''))`

/** The upper edge and the height of each element, in px. */
const LINES = `Array.from(document.querySelectorAll('.page *'), it => it.getBoundingClientRect())
  .map(({ top, height }) => [Math.round(top), Math.round(height)])`

test('a late font is swapped in without moving a line, whatever font the machine has', async ({
  playwright,
  launchOptions,
  server,
}) => {
  for (const font of FONTS) {
    const env = { ...launchOptions.env, ...fontVariables(font) }
    const browser = await playwright.chromium.launch({ ...launchOptions, env })
    const viewport = { width: 360, height: 800 }
    const player = new Player(await browser.newPage({ baseURL: server.url, viewport }))
    const { page } = player
    const arrive = await player.holdBack('**/*.woff2')
    await page.goto('/', { waitUntil: 'commit' })
    // A name of random length could wrap.
    await player.username.fill('Swift Heron 412')
    await player.play(700)
    expect(await page.evaluate(LOADED)).toEqual([FALLBACKS[font]])
    await expect(player.attempts.first()).toContainText('+0.700 s')
    await player.pool()
    const before = await player.settle(LINES)
    arrive()
    await expect.poll(() => page.evaluate(LOADED)).toContain('Space Grotesk')
    expect(await player.settle(LINES), font).toEqual(before)
    await browser.close()
  }
})

import { expect, test } from './test.ts'

/** The fallback of `web/theme.css` for the font that each project's browser knows. */
const FALLBACKS: Readonly<Record<string, string>> = {
  dejavu: 'Space Grotesk DejaVu',
  liberation: 'Space Grotesk Arial',
  roboto: 'Space Grotesk Roboto',
}

/** The families of the fonts in use. */
const LOADED = `Array.from(document.fonts).filter(({ status }) => status === 'loaded')
  .map(({ family }) => family.replaceAll('"', ''))`

/** The upper edge and the height of each element, in px. */
const LINES = `Array.from(document.querySelectorAll('.page *'), it => it.getBoundingClientRect())
  .map(({ top, height }) => [Math.round(top), Math.round(height)])`

test('a late font is swapped in without moving a line', { tag: '@fonts' }, async ({ visit }, { project }) => {
  const player = await visit({ viewport: { width: 360, height: 800 } })
  const { page } = player
  const arrive = await player.holdBack('**/*.woff2')
  await page.goto('/', { waitUntil: 'commit' })
  await player.play(700)
  expect(await page.evaluate(LOADED)).toEqual([FALLBACKS[project.name]])
  await expect(player.attempts.first()).toContainText('+0.700 s')
  await player.pool()
  const before = await player.settle(LINES)
  arrive()
  await expect.poll(() => page.evaluate(LOADED)).toContain('Space Grotesk')
  expect(await player.settle(LINES)).toEqual(before)
})

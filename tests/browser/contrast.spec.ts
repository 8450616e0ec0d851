import type { Player } from '../support/page-player.ts'
import { expect, test } from './test.ts'

const CLOSENESSES = ['perfect', 'close', 'near', 'fair', 'off', 'far', 'wild']
const BOX = '.result .box:last-child'

type Rgb = readonly [number, number, number]

/**
 * Runs in the page. The background of the Difference box, as the most frequent pixel of its picture, and the colours of its
 * words. The background is an image, which computed colours do not include and axe skips.
 */
const READ_COLOURS = (picture: string) => `(async () => {
  const image = new Image()
  image.src = 'data:image/png;base64,${picture}'
  await image.decode()
  const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d', { willReadFrequently: true })
  canvas.drawImage(image, 0, 0)
  const { data } = canvas.getImageData(0, 0, image.width, image.height)
  const counts = new Map()
  for (let at = 0; at < data.length; at += 4) {
    const pixel = data.slice(at, at + 3).join()
    counts.set(pixel, (counts.get(pixel) ?? 0) + 1)
  }
  const [[ground]] = [...counts].sort((one, other) => other[1] - one[1])
  const inks = [...document.querySelectorAll('${BOX} :is(dt, dd)')].map(word => {
    canvas.fillStyle = getComputedStyle(word).color
    canvas.fillRect(0, 0, 1, 1)
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3)
  })
  return { ground: ground.split(',').map(Number), inks }
})()`

/** The relative luminance of a colour, by WCAG 2.2, from 0 to 1. */
function luminance(colour: Rgb): number {
  const [r, g, b] = colour.map(byte => {
    const share = byte / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as unknown as Rgb
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(one: Rgb, other: Rgb): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

async function contrasts({ page }: Player): Promise<number[]> {
  const picture = await page.locator(BOX).screenshot()
  const { ground, inks } = await page.evaluate<{ ground: Rgb; inks: readonly Rgb[] }>(
    READ_COLOURS(picture.toString('base64')),
  )
  return inks.map(ink => contrast(ground, ink))
}

for (const colorScheme of ['dark', 'light'] as const) {
  test(`the Difference box can be read in each of its colours, ${colorScheme}`, async ({ visit }) => {
    const player = await visit({ colorScheme, reducedMotion: 'reduce' })
    await player.open()
    await player.play(340)
    for (const closeness of CLOSENESSES) {
      await player.page.evaluate(
        `document.querySelectorAll('[data-closeness]').forEach(it => { it.dataset.closeness = '${closeness}' })`,
      )
      const [label, number] = await contrasts(player)
      expect(label, `${closeness}: its label`).toBeGreaterThanOrEqual(4.5)
      expect(number, `${closeness}: its number`).toBeGreaterThanOrEqual(4.5)
    }
  })
}

import type { Page } from '@playwright/test'
import { expect, LONG, test } from './test.ts'

/** Counts what is drawn between two wipes of a canvas: one shape per particle, opaque in the first frame. */
const COUNT_SHAPES = `
  globalThis.shapes = { most: 0, colours: [] }
  let now = 0
  const { fill, clearRect } = CanvasRenderingContext2D.prototype
  CanvasRenderingContext2D.prototype.fill = function (...path) {
    shapes.most = Math.max(shapes.most, ++now)
    const isOpaque = this.fillStyle.startsWith('#')
    if (isOpaque && !shapes.colours.includes(this.fillStyle)) shapes.colours.push(this.fillStyle)
    return fill.apply(this, path)
  }
  CanvasRenderingContext2D.prototype.clearRect = function (...box) {
    now = 0
    return clearRect.apply(this, box)
  }
`

interface Shapes {
  most: number
  colours: string[]
}

function shapes(page: Page): Promise<Shapes> {
  return page.evaluate<Shapes>('shapes')
}

test('a win is celebrated with 100 particles in 5 colours, and a miss is not', async ({ visit }) => {
  const player = await visit()
  const { page } = player
  const requests: string[] = []
  page.on('request', request => requests.push(request.url()))
  await page.addInitScript(COUNT_SHAPES)
  await player.open()
  await player.play(101)
  expect(requests.filter(url => url.includes('confetti'))).toEqual([])
  expect((await shapes(page)).most).toBe(0)

  await player.win(100)
  await expect.poll(async () => (await shapes(page)).most).toBe(100)
  expect((await shapes(page)).colours).toHaveLength(5)
  await expect(page.locator('canvas'), 'it leaves nothing behind').toHaveCount(0)
})

test(
  'who asked for less motion gets a still celebration, and downloads no other',
  LONG,
  async ({ visit }) => {
    const player = await visit({ reducedMotion: 'reduce' })
    const { page } = player
    const requests: string[] = []
    page.on('request', request => requests.push(request.url()))
    await page.addInitScript(COUNT_SHAPES)
    await player.open()
    await player.win()
    await expect(page.locator('.claim')).toHaveCSS('background-image', /^(radial-gradient\(.+){10}/)
    expect(await page.evaluate('document.getAnimations().length')).toBe(0)
    expect((await shapes(page)).most).toBe(0)
    expect(requests.filter(url => url.includes('confetti'))).toEqual([])
  },
)

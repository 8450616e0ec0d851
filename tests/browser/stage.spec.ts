import type { Page } from '@playwright/test'
import { WIN_SHOWN_MS } from '../../contract/rules.ts'
import type { Player } from '../support/page-player.ts'
import { expect, test } from './test.ts'

/** Measures the vertical middle of the rail and of the main button, in px from the top of the window. */
async function places({ page }: Player): Promise<{ rail: number | null; button: number | null }> {
  return page.evaluate(`(() => {
    const middle = selector => {
      const box = document.querySelector(selector)?.getBoundingClientRect()
      return box === undefined ? null : (box.top + box.bottom) / 2
    }
    return { rail: middle('.rail'), button: middle('.primary') }
  })()`)
}

for (const [width, height] of [
  [1_280, 800],
  [390, 844],
] as const) {
  test(`rail and button stay in place in every mode at ${width}×${height}`, async ({ visit }) => {
    const player = await visit({ viewport: { width, height } })
    await player.open()
    const idle = await places(player)
    const expectKept = async (mode: string) => {
      await expect(player.page.locator('[data-pressed]')).toHaveCount(0)
      await player.settle()
      const { rail, button } = await places(player)
      expect(Math.abs((rail ?? idle.rail ?? 0) - (idle.rail ?? 0)), `the rail, ${mode}`).toBeLessThanOrEqual(
        1,
      )
      expect(Math.abs((button ?? 0) - (idle.button ?? 0)), `the button, ${mode}`).toBeLessThanOrEqual(1)
    }
    await player.start()
    await expectKept('running')
    await player.stop(141)
    await expectKept('miss')
    await player.play(1_500)
    await expectKept('far miss')
    await player.button('Login').click()
    await expectKept('login')
    await player.button('Cancel').click()
    await player.start()
    await player.stop(38)
    await expect(player.page.getByRole('button', { name: /^You won/ })).toBeVisible()
    await expectKept('win')
    await expect(player.wonHeading).toBeVisible()
    await expectKept('claim')
  })
}

test('a win replaces Start with a gold "You won" button until claim mode', async ({ player }) => {
  const { page } = player
  await page.evaluate(`
    globalThis.labels = new Set()
    new MutationObserver(() => {
      const button = document.querySelector('.play:enabled')
      if (button) labels.add(button.textContent)
    }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true })`)
  const pool = await player.pool()
  await player.start()
  await page.evaluate('labels.clear()')
  await player.stop(-38)
  const won = player.button(`You won ${pool + 1} TAPS`)
  await expect(won).toHaveAttribute('aria-disabled', 'true')
  await expect(won).toHaveCSS('background-color', await player.themeColour('--perfect'))
  await expect(player.wonHeading).toBeVisible()
  const labels = await page.evaluate<string[]>('[...labels]')
  expect(labels.filter(label => label.startsWith('Start'))).toEqual([])
})

/** Returns the mean luminance, from 0 to 255, of the same part of each picture. */
async function luminances(page: Page, pictures: readonly string[], box: Box): Promise<number[]> {
  return page.evaluate<number[]>(`Promise.all(${JSON.stringify(pictures)}.map(async picture => {
    const image = new Image()
    image.src = 'data:image/jpeg;base64,' + picture
    await image.decode()
    const canvas = new OffscreenCanvas(${box.width}, ${box.height}).getContext('2d')
    canvas.drawImage(image, ${-box.x}, ${-box.y})
    const { data } = canvas.getImageData(0, 0, ${box.width}, ${box.height})
    let sum = 0
    for (let at = 0; at < data.length; at += 4) sum += 0.2126 * data[at] + 0.7152 * data[at + 1] + 0.0722 * data[at + 2]
    return sum / (data.length / 4)
  }))`)
}

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** The time between two frames. */
const FRAME_MS = 50
/** The time after the start of claim mode during which frames are taken. */
const AFTER_MS = 800

test('no frame from Stop to claim mode is dark', async ({ visit }) => {
  const player = await visit({ viewport: { width: 1_280, height: 800 } })
  const { page } = player
  await player.open()
  await player.play(700)
  const box = await page.locator('.game').boundingBox()
  if (box === null) throw new Error('The page has no game card')
  const cdp = await page.context().newCDPSession(page)
  const frames: string[] = []
  const take = async () => {
    const { data } = await cdp.send('Page.captureScreenshot', { format: 'jpeg', quality: 40 })
    frames.push(data)
  }
  await take()
  await player.start()
  await player.stop(38)
  const stoppedAt = Date.now()
  while (Date.now() - stoppedAt < WIN_SHOWN_MS + AFTER_MS) {
    const next = Date.now() + FRAME_MS
    await take()
    await page.waitForTimeout(Math.max(0, next - Date.now()))
  }
  await expect(player.wonHeading).toBeVisible()
  const judge = await page.context().newPage()
  const [idle = 0, ...others] = await luminances(judge, frames, box)
  expect(others.length).toBeGreaterThan(10)
  expect(Math.min(...others)).toBeGreaterThan(0.7 * idle)
})

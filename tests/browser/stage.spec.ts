import type { Locator, Page } from '@playwright/test'
import type { Recorded } from '../../contract/api.ts'
import { START_DEBOUNCE_MS } from '../../contract/rules.ts'
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
  await expect(player.region('Track')).toContainText(`+${pool + 1} TAPS`)
  await expect(won).toHaveCSS('background-color', await player.themeColour('--perfect'))
  await expect(player.wonHeading).toBeVisible()
  const labels = await page.evaluate<string[]>('[...labels]')
  expect(labels.filter(label => label.startsWith('Start'))).toEqual([])
})

test('a recorded result says how it compares with recent tries, until the next Start', async ({ player }) => {
  const result = player.region('Result')
  await player.changeAnswers<Recorded>('**/api/attempts', body => ({ ...body, closer_than: 83 }))
  await player.play(700)
  await expect(result).toContainText('Closer than 83 % of recent tries')
  await player.play(250)
  await expect(result).toContainText('Your best yet')
  await expect(result).not.toContainText('Closer than')
  await player.play(650)
  await expect(result).toContainText('Closer than 83 %')
  await player.start()
  await expect(result).not.toContainText('Closer than')
})

/** Returns the mean luminance of each picture, from 0 to 255. */
async function luminances(page: Page, pictures: readonly string[]): Promise<number[]> {
  return page.evaluate<number[]>(`Promise.all(${JSON.stringify(pictures)}.map(async picture => {
    const image = new Image()
    image.src = 'data:image/jpeg;base64,' + picture
    await image.decode()
    const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d')
    canvas.drawImage(image, 0, 0)
    const { data } = canvas.getImageData(0, 0, image.width, image.height)
    let sum = 0
    for (let at = 0; at < data.length; at += 4) sum += 0.2126 * data[at] + 0.7152 * data[at + 1] + 0.0722 * data[at + 2]
    return sum / (data.length / 4)
  }))`)
}

/** The time between two frames. */
const FRAME_MS = 50
/** The frames that are taken of claim mode. */
const CLAIM_FRAMES = 16

/** Moves every CSS animation to the page's clock, which the test controls. */
const FOLLOW_CLOCK = `
  globalThis.begunAt ??= new WeakMap()
  for (const animation of document.getAnimations()) {
    if (!begunAt.has(animation)) begunAt.set(animation, performance.now())
    animation.pause()
    const { endTime } = animation.effect.getComputedTiming()
    animation.currentTime = Math.min(performance.now() - begunAt.get(animation), endTime)
  }`

/** Takes small pictures of the game card at exact times of the page's clock, however slow the machine is. */
async function openFilm({ page }: Player) {
  const cdp = await page.context().newCDPSession(page)
  const box = await page.locator('.game').boundingBox()
  if (box === null) throw new Error('The page has no game card')
  const options = { format: 'jpeg', quality: 60, clip: { ...box, scale: 0.25 } } as const
  const frames: string[] = []
  const take = async () => {
    await page.evaluate(FOLLOW_CLOCK)
    const { data } = await cdp.send('Page.captureScreenshot', options)
    frames.push(data)
  }
  const next = async () => {
    await page.clock.runFor(FRAME_MS)
    await take()
  }
  return { frames, take, next }
}

test.describe('with a paused clock', () => {
  // The page's clock runs ahead of the server's.
  test.use({ settings: { CLOCK_TOLERANCE_MS: '60000' } })

  test('no frame from Stop to claim mode is dark', async ({ visit }) => {
    const player = await visit({ viewport: { width: 1_280, height: 800 } })
    const { page } = player
    await page.clock.install()
    await player.open()
    await player.pauseClock()
    const press = () => page.keyboard.press('Space')
    const play = async (differenceMs: number) => {
      await press()
      await page.clock.runFor(2 * FRAME_MS)
      await page.clock.runFor((await player.target()) + differenceMs - 2 * FRAME_MS)
      await press()
    }
    const film = await openFilm(player)
    const filmUntil = async (shown: Locator) => {
      while (!(await shown.isVisible())) await film.next()
    }
    const nextStart = page.getByRole('button', { name: 'Start', exact: true, disabled: false })
    await play(700)
    while (!(await nextStart.isVisible())) await page.clock.runFor(FRAME_MS)
    await page.clock.runFor(START_DEBOUNCE_MS)
    await film.take()
    await play(38)
    await filmUntil(player.wonButton)
    await filmUntil(player.wonHeading)
    for (let frame = 0; frame < CLAIM_FRAMES; frame += 1) await film.next()
    const [idle = 0, ...others] = await luminances(await page.context().newPage(), film.frames)
    expect(Math.min(...others)).toBeGreaterThan(0.7 * idle)
  })
})

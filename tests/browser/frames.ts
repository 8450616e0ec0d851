import { writeFile } from 'node:fs/promises'
import type { CDPSession } from '@playwright/test'
import { PASSWORD, type Player } from '../support/page-player.ts'
import { setScene } from './crowd.ts'
import { expect, test } from './test.ts'

/** Takes frames for `docs/feel.md` at exact times after a press. Pauses the page's clock between frames. */

const PHONE = { width: 390, height: 664 }
/** The WebP quality that keeps text sharp and each series below 100 KB. */
const QUALITY = 70
/** The smallest width at which a frame's text can be read. */
const FRAME_WIDTH_PX = 260
/** The time from a press until its effect shows. The press itself shows one frame before its effect. */
const TWO_FRAMES_MS = 34

type Frames = { readonly caption: string; readonly png: string }[]

/** Moves all CSS animations to `ms` after their start, and pauses them. */
const SEEK_ANIMATIONS = (ms: number) => `for (const animation of document.getAnimations()) {
  const { endTime } = animation.effect.getComputedTiming()
  animation.pause()
  animation.currentTime = Math.min(${ms}, endTime)
}`

class Series {
  readonly #player: Player
  readonly #cdp: CDPSession
  #frames: Frames = []
  #atMs = 0

  constructor(player: Player, cdp: CDPSession) {
    this.#player = player
    this.#cdp = cdp
  }

  async take(caption: string): Promise<void> {
    const { data } = await this.#cdp.send('Page.captureScreenshot', { format: 'png' })
    this.#frames.push({ caption, png: `data:image/png;base64,${data}` })
  }

  /** Ends all animations, then takes a frame. */
  async rest(caption: string): Promise<void> {
    await this.#player.page.evaluate(SEEK_ANIMATIONS(60_000))
    await this.take(caption)
  }

  /** Runs `act`, then takes a frame at each of `timesMs`, counted from the end of `act`. */
  async after(caption: string, act: () => Promise<unknown>, timesMs: readonly number[]): Promise<void> {
    const { page } = this.#player
    await act()
    this.#atMs = 0
    for (const ms of timesMs) {
      await page.clock.runFor(ms - this.#atMs)
      this.#atMs = ms
      await page.evaluate(SEEK_ANIMATIONS(ms))
      await this.take(ms === 0 ? caption : `${ms.toLocaleString('en-US')} ms`)
    }
  }

  /** Writes the frames side by side into one picture, and starts a new series. */
  async save(name: string): Promise<void> {
    const page = await this.#player.page.context().newPage()
    const frames = this.#frames.map(
      ({ caption, png }) => `<figure><img src="${png}"><figcaption>${caption}</figcaption></figure>`,
    )
    await page.setContent(`<!doctype html><style>
      body { display: flex; gap: 8px; width: max-content; margin: 0; background: #fff; font: 500 16px sans-serif }
      figure { margin: 0; text-align: center } img { display: block; width: ${FRAME_WIDTH_PX}px; border-radius: 12px }
    </style>${frames.join('')}`)
    const box = await page.locator('body').boundingBox()
    const clip = { x: 0, y: 0, width: box?.width ?? 0, height: box?.height ?? 0, scale: 1 }
    const cdp = await page.context().newCDPSession(page)
    const options = { format: 'webp', quality: QUALITY, clip, captureBeyondViewport: true } as const
    const { data } = await cdp.send('Page.captureScreenshot', options)
    await writeFile(`docs/pictures/${name}.webp`, Buffer.from(data, 'base64'))
    await page.close()
    this.#frames = []
  }
}

test('takes frames of Start, Stop, a hit, a win and a claim', async ({ visit, server }) => {
  test.setTimeout(180_000)
  await setScene(server.url)
  const player = await visit({ viewport: PHONE, deviceScaleFactor: 1 })
  const { page } = player
  await page.clock.install()
  await player.open()
  await player.username.fill('Swift Heron 412')
  await player.username.blur()
  await expect(player.attempts).toHaveCount(5)
  await page.evaluate('document.fonts.ready')
  await page.clock.pauseAt(Date.now() + 1_000)
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Animation.enable')
  await cdp.send('Animation.setPlaybackRate', { playbackRate: 0.0001 })
  const series = new Series(player, cdp)
  const press = (button: 'Start' | 'Stop') => () => player.button(button).click({ force: true })
  const run = (ms: number) => page.clock.runFor(ms)

  await series.take('before')
  await series.after('Start', press('Start'), [0, TWO_FRAMES_MS, 150, 1_500])
  await series.save('start')

  await run((await player.target()) - 1_500 + 412)
  await series.after('Stop, 0.412 s late', press('Stop'), [0, TWO_FRAMES_MS, 150, 300, 600])
  await series.save('stop')

  const answer = await player.holdBack('**/api/attempts')
  await expect(player.startButton).toBeEnabled()
  await press('Start')()
  await run(TWO_FRAMES_MS)
  await run((await player.target()) - TWO_FRAMES_MS - 38)
  await series.after('Stop, 0.038 s early', press('Stop'), [0, TWO_FRAMES_MS, 150, 300, 600])
  await series.save('hit')

  const win = async () => {
    answer()
    await expect(player.region('Result')).toContainText('You won')
    await expect(page.locator('canvas')).toBeAttached()
  }
  await series.after('the server says: won', win, [0, 150, 450, 850, 1_400])
  await series.save('win')

  await page.clock.runFor(10_000)
  await series.rest('claim mode')
  await player.password.fill(PASSWORD)
  await series.rest('a password')
  const claim = async () => {
    await page.getByRole('button', { name: /^Create account & claim/ }).click()
    await player.expectLoggedIn('Swift Heron 412')
  }
  await series.after('claimed', claim, [0, 300, 1_300])
  await series.save('claim')
})

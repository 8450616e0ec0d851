import type { Locator } from '@playwright/test'
import type { Session } from '../../contract/api.ts'
import { CLAIM_DEBOUNCE_MS } from '../../contract/rules.ts'
import { withClient } from '../support/connect.ts'
import { moved, type Places } from './measures.ts'
import { expect, test } from './test.ts'

/**
 * Reads a win inside the page, because a busy test could miss its 1.8 s. Then clicks the main button, like an
 * accidental press. `labels` receives every label that the enabled button has had since.
 */
const READ_AND_CLICK = `new Promise(resolve => {
  globalThis.labels = []
  const observer = new MutationObserver(() => {
    const button = document.querySelector('.play:enabled')
    if (button) labels.push(button.textContent)
    const text = document.querySelector('[aria-label=Result]')?.textContent ?? ''
    if (!text.includes('You won')) return
    resolve({ text, label: button?.textContent })
    button?.click()
  })
  observer.observe(document.body, { subtree: true, childList: true, characterData: true })
})`

/** Presses the first button of claim mode as soon as it appears, like a press that was meant for the game. */
const PRESS_EARLY = `new Promise(resolve => {
  const observer = new MutationObserver(() => {
    const first = document.querySelector('.claim-first')
    if (first === null) return
    observer.disconnect()
    resolve(first.click())
  })
  observer.observe(document.body, { subtree: true, childList: true })
})`

/** Counts the shapes in each canvas frame, one for each particle, and collects their opaque colours. */
const COUNT_SHAPES = `
  globalThis.shapes = { most: 0, colours: new Set() }
  let now = 0
  const { fill, clearRect } = CanvasRenderingContext2D.prototype
  CanvasRenderingContext2D.prototype.fill = function (...path) {
    shapes.most = Math.max(shapes.most, ++now)
    if (this.fillStyle.startsWith('#')) shapes.colours.add(this.fillStyle)
    return fill.apply(this, path)
  }
  CanvasRenderingContext2D.prototype.clearRect = function (...box) {
    now = 0
    return clearRect.apply(this, box)
  }
`

/** Counts how often the pool's number ticks. */
const COUNT_TICKS = `
  globalThis.ticks = 0
  const { animate } = Element.prototype
  Element.prototype.animate = function (...motion) {
    if (this.matches('.pool-taps')) ticks += 1
    return animate.apply(this, motion)
  }
`

test('a guest who wins sees the whole pool and 100 particles in 5 colours, then claim mode with their time and how long the prize is held', async ({
  visit,
}) => {
  const player = await visit()
  const { page } = player
  const requests: string[] = []
  page.on('request', request => requests.push(request.url()))
  await page.addInitScript(COUNT_SHAPES)
  await page.addInitScript(COUNT_TICKS)
  await player.open()
  const ticks = () => page.evaluate<number>('ticks')
  await player.play(101)
  // The number ticks once its script is loaded.
  await expect.poll(ticks, 'a miss feeds the pool').toBe(1)
  expect(requests.filter(url => url.includes('confetti'))).toEqual([])
  const pool = await player.pool()
  await player.start()
  const seen = page.evaluate<Record<string, string>>(READ_AND_CLICK)
  const pressedEarly = page.evaluate(PRESS_EARLY)
  await player.stop(-75)
  const { text, label } = await seen
  expect(text).toContain(`You won ${pool + 1} TAPS`)
  expect(text).toContain('Nearly there! Just a tiny adjustment needed!')
  expect(text).not.toContain('short of')
  expect(label).toBe(`You won ${pool + 1} TAPS`)
  await expect(player.button('Keep playing')).toBeFocused()
  const labels = await page.evaluate<string[]>('labels')
  expect(labels.filter(label => label.startsWith('Start'))).toEqual([])
  await pressedEarly
  await expect(player.wonHeading, 'claim mode opens by itself and stays open').toHaveText(`${pool + 1} TAPS`)
  await expect(page.getByText(/^\d\.\d\d s for \d\.\d\d s, −0\.075 s$/)).toBeVisible()
  await expect(page.getByText(/^held for you \d+:\d\d$/)).toBeVisible()
  await expect(player.startButton).toBeHidden()
  const countdown = page.getByText(/^1[45]:\d\d$/)
  const shown = await countdown.innerText()
  await expect(countdown, 'the countdown moves').not.toHaveText(shown)
  expect(await ticks(), 'a win feeds nothing').toBe(1)
  expect(await page.evaluate('shapes.most')).toBe(100)
  expect(await page.evaluate('shapes.colours.size')).toBe(5)
  await expect(page.locator('canvas'), 'the canvas is removed afterwards').toHaveCount(0)
})

test('"Keep playing" keeps the prize; the chip reopens claim mode, and another win adds to the prize', async ({
  player,
}) => {
  const first = await player.win()
  const spaceMark = player.button('Keep playing').getByText('Space')
  await expect(spaceMark).toBeVisible()
  await player.username.focus()
  await expect(spaceMark, 'Space writes into the field').toBeHidden()
  await player.keepPlaying()
  await player.expectPool(0)
  await expect(player.chip).toHaveText(`${first} TAPS to claim`)
  await expect(player.chip).toHaveAttribute('data-left', /^1[45]:\d\d$/)
  await player.play(444)
  await player.expectPool(1)
  await player.page.reload()
  await expect(player.wonHeading, 'a reload returns to claim mode').toBeVisible()
  await player.keepPlaying()
  await player.chip.click()
  await expect(player.wonHeading).toHaveText(`${first} TAPS`)
  await expect(player.page.getByText('Yours to claim', { exact: true })).toBeVisible()

  await player.keepPlaying()
  expect(await player.win()).toBe(first + 2)
  await expect(player.page.getByText('You won 2 more', { exact: true })).toBeVisible()
})

/** The height of the pool's row, the header's name, and what the row's last part exceeds, in px. */
const POOL_ROW = `(() => {
  const [pool, last, name] = ['.pool', '.last-win > :is(p, button)', '.who'].map(it => document.querySelector(it).getBoundingClientRect())
  const isInside = last.left > pool.left && last.right <= pool.right + 1
  return { height: pool.height, name: name.width, outside: isInside ? 0 : 1_000 }
})()`

test("a held prize takes the last winner's place in the row of the pool, whose height and the name's width stay, and fades with it", async ({
  player,
}) => {
  const { page } = player
  const windows = ['320x568', '390x844', '844x390', '768x1024', '1280x800']
  const measure = async () => {
    const places: Record<string, number> = {}
    for (const size of windows) {
      const [width = 0, height = 0] = size.split('x').map(Number)
      await page.setViewportSize({ width, height })
      const row = await player.settle<Places>(POOL_ROW)
      for (const [part, at] of Object.entries(row)) places[`${part} at ${size}`] = at
    }
    return places
  }
  const pool = player.region('Prize pool')
  const before = await measure()
  const won = await player.win()
  await expect(player.chip, 'claim mode shows the prize itself').toHaveCount(0)
  await expect(pool).toContainText(`You won ${won} TAPS`)
  await player.keepPlaying()
  await expect(pool.getByRole('button', { name: `${won} TAPS to claim` })).toBeVisible()
  await expect(pool).not.toContainText('You won')
  expect(moved(before, await measure())).toEqual([])
  await player.start()
  // A pointer on the chip would keep it bright.
  await page.mouse.move(0, 0)
  await expect(player.chip.locator('..')).toHaveCSS('opacity', '0.2')
  await expect(pool).toHaveCSS('opacity', '1')
})

test('an expired hold returns its TAPS to the pool, which claim mode says, or else a message after an urgent chip', async ({
  player,
  server,
}) => {
  const { page } = player
  let held_seconds = 2
  // Shortens the hold in the session's answer. The page counts down, then asks the server again.
  await player.changeAnswers<Session>('**/api/session', session => ({
    ...session,
    prize: session.prize && { ...session.prize, held_seconds },
  }))
  const endHold = () =>
    withClient(server.connection, client =>
      client.query('update holds set held_until = clock_timestamp() where ended_at is null'),
    )
  const won = await player.win()
  await page.reload()
  await expect(player.wonHeading).toBeVisible()
  await endHold()
  await expect(page.getByRole('heading', { name: 'Your prize is no longer held' })).toBeVisible()
  const why = page.getByText('The hold has ended, and the TAPS are back in the pool.')
  await expect(why).toBeVisible()
  const topOf = async (element: Locator) => (await element.boundingBox())?.y ?? Number.NaN
  expect(await topOf(player.button('Keep playing')), 'the button is below the message').toBeGreaterThan(
    (await topOf(why)) + 1,
  )
  await player.keepPlaying()
  await expect(player.chip).toBeHidden()
  await player.expectPool(won)

  const more = await player.win()
  held_seconds = 119
  await page.clock.install()
  await page.reload()
  await expect(player.wonHeading).toBeVisible()
  await page.clock.runFor(CLAIM_DEBOUNCE_MS)
  await player.button('Keep playing').click()
  await expect(player.chip).toHaveAttribute('data-left', /^1:/)
  await expect(player.chip).toHaveAttribute('data-urgent', 'false')
  held_seconds = 30
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
  await expect(player.chip).toHaveAttribute('data-urgent', 'true')
  await endHold()
  await page.clock.runFor(31_000)
  const ended = page.getByRole('status').getByText(`Hold ended: ${more} TAPS back in the pool`)
  await expect(ended).toBeVisible()
  await expect(player.chip).toBeHidden()
  await page.clock.runFor(5_000)
  await expect(ended).toBeHidden()
})

import type { Page } from '@playwright/test'
import { expect, test } from './test.ts'

/** The edges of an element relative to the window, in px. */
async function edgesOf(page: Page, selector: string) {
  return page.evaluate<{ top: number; bottom: number }>(
    `(({ top, bottom }) => ({ top, bottom }))(document.querySelector('${selector}').getBoundingClientRect())`,
  )
}

test('a round that starts out of view shows its target above Stop, without an animated scroll', async ({
  player,
}) => {
  const { page } = player
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Page.setFontSizes', { fontSizes: { standard: 32 } })
  for (const [width, height] of [
    [320, 568],
    [844, 390],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.evaluate(`document.querySelector('.attempts').scrollIntoView()`)
    await expect(page.locator('.target-time')).not.toBeInViewport()
    await page.keyboard.press('Space')
    await expect(player.stopButton).toBeInViewport({ ratio: 0.98 })
    const target = await edgesOf(page, '.target-time')
    expect(target.top, `${width}x${height}`).toBeGreaterThanOrEqual(0)
    const stop = await edgesOf(page, '.play')
    const isBeside = width > height
    expect(target.bottom, `${width}x${height}`).toBeLessThanOrEqual(isBeside ? height : stop.top)
    await page.reload()
    await expect(player.startButton).toBeEnabled()
  }
})

/** Stands in for the part of the window above a phone's keyboard. */
const KEYBOARD = `Object.defineProperty(globalThis, 'visualViewport', { value: { offsetTop: 0, height: globalThis.free ?? 568 } })`

for (const [free, shows] of [
  [330, 'the field and its problem'],
  [90, 'the field'],
] as const) {
  test(`a mistake shows ${shows} above a keyboard that leaves ${free} px`, async ({ visit, complaints }) => {
    complaints.expect(/404 \(/)
    const player = await visit({ viewport: { width: 320, height: 568 } })
    const { page } = player
    await page.addInitScript(`globalThis.free = ${free}; ${KEYBOARD}`)
    await player.open()
    await player.logIn('nobody of this name')
    await expect(page.getByText('No account with this username')).toBeVisible()
    await expect(player.username).toBeFocused()
    const field = await edgesOf(page, '.field input')
    expect(field.top).toBeGreaterThanOrEqual(0)
    expect(field.bottom).toBeLessThanOrEqual(free)
    const problem = await edgesOf(page, '.error')
    expect(problem.bottom <= free).toBe(shows !== 'the field')
  })
}

test('the claimed amount flies from the window when it has been scrolled away', async ({
  player,
  server,
}) => {
  const { page } = player
  await page.setViewportSize({ width: 320, height: 568 })
  await player.win()
  await page.evaluate(`globalThis.starts = []
    const { animate } = Element.prototype
    Element.prototype.animate = function (frames, timing) {
      if (this.className === 'flight') starts.push(frames.translate[0])
      return animate.call(this, frames, timing)
    }`)
  await page.evaluate('scrollTo(0, 1_000)')
  expect((await edgesOf(page, '.amount')).bottom).toBeLessThan(0)
  await player.username.fill('Flying Heron')
  await player.password.fill('a long enough password')
  await page.evaluate('scrollTo(0, 1_000)')
  await player.pressInClaim(/^Create account & claim/)
  await expect.poll(() => page.evaluate<string[]>('starts')).toEqual([expect.stringMatching(/ 0px$/)])
  await server.audit()
})

test('a result to copy stands below the prize of claim mode', async ({ visit }) => {
  const player = await visit()
  const { page } = player
  await page.addInitScript(`Object.defineProperties(navigator, {
    clipboard: { value: undefined },
    share: { value: undefined },
  })`)
  await player.open()
  await player.win()
  for (const [width, height] of [
    [390, 844],
    [844, 390],
    [1_280, 800],
  ] as const) {
    await page.setViewportSize({ width, height })
    await player.pressInClaim('Share')
    await expect(page.getByRole('textbox', { name: 'Result to copy' })).toBeFocused()
    const [field, facts, stage] = await Promise.all(
      ['.share input', '.claim-facts', '.stage'].map(selector => edgesOf(page, selector)),
    )
    expect(field?.top, `${width}x${height}`).toBeGreaterThanOrEqual(facts?.bottom ?? Number.NaN)
    expect(field?.bottom, `${width}x${height}`).toBeLessThanOrEqual(stage?.bottom ?? Number.NaN)
    await page.keyboard.press('Escape')
  }
})

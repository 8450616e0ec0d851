import type { Locator } from '@playwright/test'
import type { Player } from './player.ts'
import { expect, test } from './test.ts'

/** As wide as 32 characters get, right to left, and of several code points each. */
const NAMES = ['W'.repeat(32), 'אבגדהוזחטיכלמנסעפצקרשתאבגדהוזחטי', '👩‍👩‍👧‍👦🏳️‍🌈👍🏽🇪🇺'.repeat(3)]

/** Phones upright and on their side, tablets, a page at 200 % zoom, and screens up to a wall. */
const SCREENS = [
  { width: 320, height: 568 },
  { width: 360, height: 640 },
  { width: 390, height: 844 },
  { width: 667, height: 375 },
  { width: 844, height: 390 },
  { width: 768, height: 1_024 },
  { width: 640, height: 400 },
  { width: 1_280, height: 720 },
  { width: 2_560, height: 1_440 },
]

/** How far the lower edge of something is below the window, in px; 0 or less is seen. */
async function belowWindow({ page }: Player, selector: string): Promise<number> {
  return page.evaluate<number>(
    `document.querySelector('${selector}').getBoundingClientRect().bottom - innerHeight`,
  )
}

test('the game is within the first screen on every device, whatever the name', async ({ player }) => {
  const { page } = player
  for (const name of NAMES) {
    await player.username.fill(name)
    await player.play(700)
    await expect(player.attempts.first()).toContainText(name.slice(0, 8))
    for (const screen of SCREENS) {
      const at = `${name.slice(0, 4)} at ${screen.width} x ${screen.height}`
      await page.setViewportSize(screen)
      await page.evaluate('scrollTo(0, 0)')
      await player.settle()
      const wider = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
      expect(wider, `sideways scroll, ${at}`).toBeLessThanOrEqual(0)
      expect(await belowWindow(player, '.play'), `the button, ${at}`).toBeLessThanOrEqual(0)
      expect(await belowWindow(player, '.boxes'), `the result, ${at}`).toBeLessThanOrEqual(0)
    }
  }
})

/** Where the main button of every mode is wholly seen: small laptops, and phones upright and on their side. */
const FIRST_SCREENS = [
  { width: 1_366, height: 650 },
  { width: 1_280, height: 720 },
  { width: 844, height: 390 },
  { width: 740, height: 360 },
  { width: 390, height: 664 },
  { width: 320, height: 568 },
]

/**
 * What does not fit: a page that scrolls sideways, words that leave the box they stand in, and words over other words.
 * What is cut with an ellipsis, names, fits.
 */
const MISFITS = `(() => {
  const found = []
  const wider = document.documentElement.scrollWidth - innerWidth
  if (wider > 0) found.push('scrolls sideways by ' + wider)
  const words = []
  const texts = document.createTreeWalker(document.querySelector('.page'), NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const { currentNode: text } = texts
    const parent = text.parentElement
    const { visibility, textOverflow } = getComputedStyle(parent)
    if (!text.data.trim() || visibility === 'hidden' || parent.closest('.visually-hidden, svg')) continue
    const range = document.createRange()
    range.selectNodeContents(text)
    const box = parent.closest('.box, .pill, .track, button, .tabs, .row, .card')?.getBoundingClientRect()
    for (const rect of range.getClientRects()) {
      if (rect.width === 0 || textOverflow === 'ellipsis') continue
      words.push({ rect, text: text.data })
      if (!box || (rect.left >= box.left - 1 && rect.right <= box.right + 1)) continue
      found.push(text.data + ' leaves its box')
    }
  }
  words.forEach((one, index) => {
    const over = words.slice(index + 1).find(({ rect, text }) =>
      text !== one.text &&
      Math.min(rect.right, one.rect.right) - Math.max(rect.left, one.rect.left) > 2 &&
      Math.min(rect.bottom, one.rect.bottom) - Math.max(rect.top, one.rect.top) > rect.height * 0.4)
    if (over) found.push(one.text + ' over ' + over.text)
  })
  return found
})()`

const FONTS = [16, 24, 32]
const FONT_WIDTHS = [320, 390, 768, 1_280, 1_920]

/** The modes of the game, one after the other, each with its main button. */
async function tour(player: Player, look: (mode: string, main: Locator) => Promise<void>): Promise<void> {
  await look('idle', player.startButton)
  await player.start()
  await look('running', player.stopButton)
  await player.stop(700)
  await expect(player.startButton).toBeEnabled()
  await look('result', player.startButton)
  await player.button('Login').click()
  await expect(player.password).toBeVisible()
  await look('login', player.button('Login'))
  await player.button('Create account').click()
  await look('sign-up', player.button('Create account'))
  await player.button('Cancel').click()
  const won = await player.win()
  await look('claim', player.button(`Create account & claim ${won} TAPS`))
  await player.keepPlaying()
  await look('held', player.startButton)
}

test('the main button of every mode is wholly seen, and with letters up to twice as large everything fits', async ({
  player,
}) => {
  const { page } = player
  const cdp = await page.context().newCDPSession(page)
  const misfits: string[] = []
  await tour(player, async (mode, main) => {
    for (const screen of FIRST_SCREENS) {
      await page.setViewportSize(screen)
      await player.settle()
      const box = await main.boundingBox()
      const at = `${mode} at ${screen.width} x ${screen.height}`
      const bottom = (box?.y ?? screen.height) + (box?.height ?? 1)
      if (bottom > screen.height) misfits.push(`${at}: the button ends at ${bottom}`)
    }
    for (const standard of FONTS) {
      await cdp.send('Page.setFontSizes', { fontSizes: { standard } })
      for (const width of FONT_WIDTHS) {
        await page.setViewportSize({ width, height: 900 })
        await player.settle()
        const found = await page.evaluate<string[]>(MISFITS)
        misfits.push(...found.map(misfit => `${mode}, ${width} px, font ${standard} px: ${misfit}`))
      }
    }
    await cdp.send('Page.setFontSizes', { fontSizes: { standard: 16 } })
    await page.setViewportSize({ width: 1_280, height: 720 })
  })
  expect(misfits).toEqual([])
})

test('whatever can be pressed is at least 44 px wide and high', async ({ player }) => {
  const { page } = player
  for (const width of [320, 1_280]) {
    await page.setViewportSize({ width, height: 800 })
    await player.play(700)
    const small = await page.evaluate<string[]>(`
      Array.from(document.querySelectorAll('button, input, a, [role=tab]'))
        .filter(control => {
          const { width, height } = (control.closest('.who') ?? control).getBoundingClientRect()
          return width > 0 && (width < 43.9 || height < 43.9)
        })
        .map(control => control.outerHTML)`)
    expect(small, `at ${width} px`).toEqual([])
  }
})

test('each mode begins at the top of the page', async ({ visit }) => {
  const player = await visit({ viewport: { width: 844, height: 390 } })
  await player.open()
  await player.win()
  const top = () => player.page.evaluate<number>('scrollY')
  expect(await top()).toBe(0)
  await player.page.getByRole('button', { name: /^Keep playing/ }).scrollIntoViewIfNeeded()
  expect(await top()).toBeGreaterThan(0)
  await player.keepPlaying()
  expect(await top()).toBe(0)
})

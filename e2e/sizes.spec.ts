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

import type { Locator } from '@playwright/test'
import { TRACK_LOOP_MS } from '../../contract/rules.ts'
import { formatTime } from '../../contract/time.ts'
import { Client } from '../support/client.ts'
import type { Player } from '../support/page-player.ts'
import { playRounds } from './crowd.ts'
import { expect, test } from './test.ts'

const RULE = 'The clock stays hidden. Within 0.10 s the whole pool is yours.'

test('Start reveals the target, which a reload keeps, and a dot crosses the track every 5 s without showing the time', async ({
  player,
}) => {
  const target = player.region('Target Time')
  const track = player.region('Track')
  const result = player.region('Result')
  await expect(player.page.getByRole('heading', { level: 1, name: 'TAPS' })).toBeVisible()
  await expect(target).toHaveText('Target Time–.–– seconds')
  await expect(track).toHaveText('0.00')
  await expect(result.getByText('Press Start, then Stop at the target time.')).toBeVisible()
  await expect(player.page.locator('.rail-label, .band'), 'the rail has no scale yet').toHaveCount(0)
  await expect(result.getByText(RULE)).toBeVisible()
  await expect(result.getByRole('definition')).toHaveCount(0)

  const targetMs = await player.start()
  expect(targetMs).toBeGreaterThanOrEqual(1_000)
  expect(targetMs).toBeLessThanOrEqual(5_000)
  await expect(target).toHaveText(`Target Time${formatTime(targetMs)} seconds`)
  await expect(result.getByRole('definition')).toHaveCount(0)
  await expect(result.getByText('Press Start')).toHaveCount(0)
  await expect(player.startButton).toBeHidden()
  await expect(track).not.toContainText(/\d/)

  const loops =
    'document.getAnimations().map(a => a.effect.getComputedTiming()).filter(t => t.iterations > 1)'
  const found = await player.page.evaluate<{ duration: number; iterations: number }[]>(
    `${loops}.map(({ duration, iterations }) => ({ duration, iterations }))`,
  )
  const loop = { duration: 5_000, iterations: Number.POSITIVE_INFINITY }
  expect(found, 'the dot and its trail repeat every 5 s').toEqual([loop, loop])
  const progress = () => player.page.evaluate<number>(`${loops}[0].progress`)
  const before = await progress()
  await expect.poll(progress, 'the dot moves').not.toBe(before)
  await player.page.reload()
  expect(await player.start()).toBe(targetMs)
  await player.expectPool(0)
})

test('the result shows both times to 2 decimals, the difference to 3, coloured feedback, and gold when exact', async ({
  player,
}) => {
  const targetMs = await player.play(-412)
  const result = player.region('Result')
  await expect(result.getByRole('term')).toHaveText(['Your Time', 'Target', 'Difference'])
  await expect(result.getByRole('definition')).toHaveText([
    `${formatTime(targetMs - 412)}s`,
    `${formatTime(targetMs)}s`,
    '0.412s',
  ])
  await expect(player.region('Track')).toHaveText(formatTime(targetMs - 412))
  await expect(result, 'only an idle game shows the rule').not.toContainText(RULE)
  const feedback = result.getByText('Whoops! That was a bit off!')
  await expect(feedback).toHaveText(/ \p{Emoji_Presentation}$/u)
  await expect(feedback).toHaveCSS('color', await player.themeColour('--off'))
  const topOf = async (element: Locator) => (await element.boundingBox())?.y ?? Number.NaN
  expect(await topOf(feedback)).toBeGreaterThan((await topOf(result.getByRole('definition').last())) + 1)
  expect(await topOf(feedback)).toBeLessThan(await topOf(player.startButton))

  await player.page.route('**/api/attempts', () => undefined)
  await player.start()
  await player.stop(0)
  await expect(result.getByText("PERFECT! You're a timing genius!")).toBeVisible()
  await expect(result.getByRole('definition').last()).toHaveText('0.000s')
  expect(await generated(player, '.box[data-side] dd'), 'the label next to the difference').toBe('exact')
  const flash = "getComputedStyle(document.querySelector('.stage'), '::before').animationName"
  expect(await player.page.evaluate(flash), 'the frame turns gold').toBe('gild')
})

/** Returns the text that CSS generates after an element. */
function generated({ page }: Player, selector: string): Promise<string> {
  return page.evaluate<string>(
    `getComputedStyle(document.querySelector('${selector}'), '::after').content.replaceAll('"', '')`,
  )
}

/** Returns the time, in ms, at the middle of a mark on the rail. */
async function markMs({ page }: Player, selector: string): Promise<number> {
  const share = await page.evaluate<number>(`(() => {
    const rail = document.querySelector('.rail').getBoundingClientRect()
    const mark = document.querySelector('${selector}').getBoundingClientRect()
    return ((mark.left + mark.right) / 2 - rail.left) / rail.width
  })()`)
  return share * TRACK_LOOP_MS
}

test('Stop freezes the dot between target and difference, zooms the rail within 0.5 s, and says how close a near miss was', async ({
  player,
  server,
}) => {
  await playRounds(new Client(server.url), [400])
  const { page } = player
  const share = async (selector: string) => (await markMs(player, selector)) / TRACK_LOOP_MS
  const result = player.region('Result')
  await player.play(-300)
  const target = await player.play(-640)
  await player.settle()
  expect(Math.abs((await markMs(player, '.tick')) - target)).toBeLessThan(20)
  expect(Math.abs((await markMs(player, '.band')) - target)).toBeLessThan(20)
  expect(await generated(player, '.box[data-side] dd')).toBe('early')
  expect(Math.abs((await markMs(player, '.bracket')) - target + 320)).toBeLessThan(20)

  await player.play(141)
  await player.settle()
  expect(await share('.tick')).toBeCloseTo(0.5, 2)
  expect(await share('.dot--still')).toBeCloseTo(0.641, 2)
  await expect(page.locator('.ghost')).toHaveCount(1)
  expect(await share('.ghost')).toBeCloseTo(0.2, 2)
  expect(await generated(player, '.box[data-side] dd')).toBe('late')
  await expect(result.getByText('Your best yet')).toBeVisible()
  await expect(player.region('Your timing')).toContainText('best 0.141 s')
  const newest = page.locator('.squares [data-newest="true"]')
  await expect(newest).toHaveCSS('animation-name', 'pop')
  await player.play(141)
  await expect(newest).toHaveCSS('animation-name', 'none')
  await expect(result.getByText(`0.041 s short of ${await player.pool()} TAPS`)).toBeVisible()
  await expect(result).not.toContainText('Your best yet')

  await player.play(6_000)
  await expect(page.getByText(/short of/)).toBeHidden()
  expect(await markMs(player, '.dot--still'), 'the dot stays at the end of the track').toBeCloseTo(
    TRACK_LOOP_MS,
  )
})

/**
 * A script that sets the result's closeness, then reads the colours of feedback, number, label and dot, and the
 * colours behind them. The box paints its ground as an image, above its background.
 */
const COLOURS_OF = (closeness: string) => `(() => {
  const stage = document.querySelector('.stage')
  stage.dataset.closeness = '${closeness}'
  const feedback = document.querySelector('.feedback .inked')
  const { color: ink, backgroundColor: pill, fontSize, fontWeight } = getComputedStyle(feedback)
  const { display, backgroundColor: dot } = getComputedStyle(feedback, '::before')
  const { backgroundColor: card } = getComputedStyle(stage, '::before')
  const box = document.querySelector('.box:last-child')
  const [label, figure] = Array.from(box.querySelectorAll('dt, dd'), it => getComputedStyle(it).color)
  const { backgroundImage, backgroundColor } = getComputedStyle(box)
  const [ground] = /(rgba?|color)[(][^)]*[)]/.exec(backgroundImage) ?? ['none']
  const isClear = colour => colour === 'rgba(0, 0, 0, 0)'
  return {
    ink, label, figure, size: parseFloat(fontSize), weight: fontWeight,
    behind: isClear(pill) ? card : pill,
    ground: isClear(ground) ? backgroundColor : ground,
    dot: display === 'none' ? '' : dot,
  }
})()`

/** Returns the WCAG luminance of a computed colour. */
function luminanceOf(colour: string): number {
  const most = colour.startsWith('color') ? 1 : 255
  const [r = 0, g = 0, b = 0] = (colour.match(/[\d.]+/g) ?? [])
    .map(value => Number(value) / most)
    .map(share => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(one = '', other = ''): number {
  const [low = 0, high = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

interface Colours {
  readonly ink: string
  readonly label: string
  readonly figure: string
  readonly behind: string
  readonly ground: string
  readonly dot: string
  /** The feedback's font size, in px. */
  readonly size: number
  readonly weight: string
}

/** Whether text may have a contrast of 3:1, according to WCAG: at least 14 pt, and bold. */
const isLarge = ({ size, weight }: Colours) => weight === '700' && size >= 19

// scripts/colours.test.ts checks the colours themselves.
test('each of the seven feedback lines has a legible colour of its own in both schemes, also where it is small', async ({
  player,
}) => {
  const { page } = player
  await player.play(700)
  await player.settle()
  for (const viewport of [
    { width: 390, height: 664 },
    { width: 844, height: 390 },
    { width: 390, height: 844 },
    { width: 1_280, height: 800 },
  ]) {
    await page.setViewportSize(viewport)
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      for (const closeness of ['perfect', 'close', 'near', 'fair', 'off', 'far', 'wild']) {
        const colours = await page.evaluate<Colours>(COLOURS_OF(closeness))
        const { ink, label, figure, behind, ground, dot } = colours
        const isOrange = closeness === 'off' && colorScheme === 'light' && isLarge(colours)
        const at = `${closeness}, ${colorScheme}, ${viewport.width}×${viewport.height}`
        expect(contrast(ink, behind), at).toBeGreaterThanOrEqual(isOrange ? 3 : 4.5)
        expect(contrast(label, ground), `the Difference label, ${at}`).toBeGreaterThanOrEqual(4.5)
        expect(contrast(figure, ground), `the number, ${at}`).toBeGreaterThanOrEqual(4.5)
        expect(figure, at).toBe(isOrange ? await player.themeColour('--text') : ink)
        const own = await player.themeColour(`--${closeness}`)
        if (isOrange) expect([ink, dot], at).toEqual([own, ''])
        else expect([ink, behind, dot], at).toContain(own)
      }
    }
  }
  expect(await page.evaluate<Colours>(COLOURS_OF('off')), 'orange at 1280×800').toMatchObject({
    dot: '',
    weight: '700',
  })
})

import { TRACK_LOOP_MS } from '../../contract/rules.ts'
import { formatTime } from '../../contract/time.ts'
import type { Player } from '../support/page-player.ts'
import { expect, test } from './test.ts'

const RULE = 'Stop within 0.10 s of the target and the whole pool is yours.'

test('the target is hidden before Start and shown from Start on; a dot crosses the track in 5 s, over and over, without a number', async ({
  player,
}) => {
  const target = player.region('Target Time')
  const track = player.region('Track')
  const result = player.region('Result')
  await expect(target).toHaveText('Target Time–.–– seconds')
  await expect(track).toHaveText('0.00')
  await expect(result.getByText('The clock is hidden. Count it in your head.')).toBeVisible()
  await expect(result.getByText(RULE)).toBeVisible()
  await expect(result.getByRole('definition')).toHaveCount(0)

  const targetMs = await player.start()
  expect(targetMs).toBeGreaterThanOrEqual(1_000)
  expect(targetMs).toBeLessThanOrEqual(5_000)
  await expect(target).toHaveText(`Target Time${formatTime(targetMs)} seconds`)
  await expect(result.getByRole('definition')).toHaveCount(0)
  await expect(result.getByText('The clock is hidden.')).toHaveCount(0)
  await expect(player.startButton).toBeHidden()
  await expect(track).not.toContainText(/\d/)
  expect(await generated(player, '.aim'), 'the target is above the rail, for the eye').toBe(
    formatTime(targetMs),
  )

  const loops =
    'document.getAnimations().map(a => a.effect.getComputedTiming()).filter(t => t.iterations > 1)'
  const [loop, ...others] = await player.page.evaluate<{ duration: number; iterations: number }[]>(
    `${loops}.map(({ duration, iterations }) => ({ duration, iterations }))`,
  )
  expect(others).toEqual([])
  expect(loop).toEqual({ duration: 5_000, iterations: Number.POSITIVE_INFINITY })
  const progress = () => player.page.evaluate<number>(`${loops}[0].progress`)
  const before = await progress()
  await expect.poll(progress, 'the dot is on its way').not.toBe(before)
})

test('the result shows both times to 2 decimals and the difference to 3, and says in words and in its colour how close it was', async ({
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
  await expect(result).toContainText(RULE)
  const feedback = result.getByText('Whoops! That was a bit off!')
  await expect(feedback).toHaveText(/ \p{Emoji_Presentation}$/u)
  await expect(feedback).toHaveCSS('color', await player.themeColour('--off'))
})

test('exactly on the target has a moment of its own', async ({ player }) => {
  await player.page.route('**/api/attempts', () => undefined)
  await player.start()
  await player.stop(0)
  const result = player.region('Result')
  await expect(result.getByText("PERFECT! You're a timing genius!")).toBeVisible()
  await expect(result.getByRole('definition').last()).toHaveText('0.000s')
  expect(await generated(player, '.box[data-side]'), 'beside the figure').toBe('dead on')
  await expect(player.region('Track')).toHaveCSS('animation-name', 'gild')
})

test('Start is dimmed and takes no presses between Stop and the next round', async ({ player }) => {
  const { page, startButton } = player
  let arrive = (): void => undefined
  const underWay = new Promise<void>(resolve => {
    arrive = resolve
  })
  await page.route('**/api/attempts', async route => {
    await underWay
    await route.continue()
  })
  await player.start()
  await player.stop(600)
  await expect(startButton).toBeDisabled()
  await expect(startButton).not.toHaveCSS('opacity', '1')
  await player.press(50)
  await page.keyboard.press('Space')
  await expect(player.region('Result').getByRole('definition').last()).toHaveText('0.600s')
  await expect(player.stopButton).toBeHidden()

  arrive()
  await player.start()
})

test('a reload and an abandoned round bring the same target back and cost nothing', async ({ player }) => {
  const pool = await player.pool()
  const target = await player.start()
  await player.page.reload()
  expect(await player.start()).toBe(target)
  await player.expectPool(pool)
  await player.stop(250)
  await player.expectPool(pool + 1)
})

/** What the style sheet writes, for the eye alone. */
function generated({ page }: Player, selector: string): Promise<string> {
  return page.evaluate<string>(
    `getComputedStyle(document.querySelector('${selector}'), '::after').content.replaceAll('"', '')`,
  )
}

/** The horizontal middle of a mark on the rail, as a time within one crossing, in ms. */
async function markMs({ page }: Player, selector: string): Promise<number> {
  const share = await page.evaluate<number>(`(() => {
    const rail = document.querySelector('.rail').getBoundingClientRect()
    const mark = document.querySelector('${selector}').getBoundingClientRect()
    return ((mark.left + mark.right) / 2 - rail.left) / rail.width
  })()`)
  return share * TRACK_LOOP_MS
}

test('at Stop the dot freezes where it is, with the target, its band and a bracket between, and stays at the end when it was late by more than the track', async ({
  player,
}) => {
  const { page } = player
  for (const [difference, side] of [
    [-640, 'early'],
    [640, 'late'],
  ] as const) {
    const target = await player.play(difference)
    await player.settle()
    expect(Math.abs((await markMs(player, '.tick')) - target)).toBeLessThan(20)
    expect(Math.abs((await markMs(player, '.band-mark')) - target)).toBeLessThan(20)
    expect(await generated(player, '.box[data-side]')).toBe(side)
    if (target + difference >= TRACK_LOOP_MS) continue
    await expect(page.locator('.beyond')).toBeHidden()
    expect(Math.abs((await markMs(player, '.bracket')) - target - difference / 2)).toBeLessThan(20)
  }
  await player.play(6_000)
  expect(await generated(player, '.beyond')).toBe('+6.000 s')
  const dot = await page.evaluate<number>(`(() => {
    const still = document.querySelector('.dot--still')
    return new DOMMatrix(getComputedStyle(still).transform).m41 / still.clientWidth
  })()`)
  expect(dot, 'it stays at the end where it left').toBeCloseTo(1, 2)
})

/** The colours of the specification as hues in degrees, from and to; that of the text has none. */
const HUES = [
  { closeness: 'perfect', hue: [38, 52] },
  { closeness: 'close', hue: [100, 160] },
  { closeness: 'near', hue: [175, 205] },
  { closeness: 'fair', hue: null },
  { closeness: 'off', hue: [26, 37] },
  { closeness: 'far', hue: [12, 24] },
  { closeness: 'wild', hue: [345, 370] },
] as const

/** What one closeness makes of the feedback: the hue that the eye sees, of the ground or else of the ink, and the contrast. */
const LOOK_OF = (closeness: string) => `(() => {
  const rgb = colour => {
    const [r, g, b, alpha = 1] = colour.match(/[\\d.]+/g).map(Number)
    const most = colour.startsWith('color') ? 1 : 255
    return { r: r / most, g: g / most, b: b / most, alpha }
  }
  const light = ({ r, g, b }) => {
    const [lr, lg, lb] = [r, g, b].map(c => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    return 0.2126 * lr + 0.7152 * lg + 0.0722 * lb
  }
  const hue = ({ r, g, b }) => {
    const [most, least] = [Math.max(r, g, b), Math.min(r, g, b)]
    const by = most - least
    const sixth = most === r ? (g - b) / by : most === g ? 2 + (b - r) / by : 4 + (r - g) / by
    return { degrees: (60 * sixth + 360) % 360, colourfulness: by }
  }
  document.querySelector('.result').dataset.closeness = '${closeness}'
  const feedback = document.querySelector('.feedback .inked')
  const ink = rgb(getComputedStyle(feedback).color)
  const ground = rgb(getComputedStyle(feedback).backgroundColor)
  const behind = ground.alpha === 0 ? rgb(getComputedStyle(feedback.closest('.card')).backgroundColor) : ground
  const [high, low] = [light(ink), light(behind)].sort((a, b) => b - a)
  const figure = rgb(getComputedStyle(document.querySelector('.box:last-child dd')).color)
  return {
    ...hue(ground.alpha === 0 ? ink : ground),
    contrast: (high + 0.05) / (low + 0.05),
    sameInk: light(figure) === light(ink),
  }
})()`

interface Look {
  degrees: number
  colourfulness: number
  contrast: number
  sameInk: boolean
}

test('the seven feedback lines have the colours of the specification in both schemes, and can be read', async ({
  player,
}) => {
  const { page } = player
  await player.play(700)
  await player.settle()
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    for (const { closeness, hue } of HUES) {
      const look = await page.evaluate<Look>(LOOK_OF(closeness))
      const at = `${closeness}, ${colorScheme}: ${JSON.stringify(look)}`
      expect(look.contrast, at).toBeGreaterThanOrEqual(4.5)
      expect(look.sameInk, at).toBe(true)
      // In the light scheme a miss is dark ink with a dot of its colour: scripts/colours.test.ts.
      const isPlain = hue === null || (colorScheme === 'light' && ['off', 'far', 'wild'].includes(closeness))
      if (isPlain) {
        expect(look.colourfulness, at).toBeLessThan(0.1)
        continue
      }
      const degrees = hue[1] > 360 && look.degrees < 180 ? look.degrees + 360 : look.degrees
      expect(degrees, at).toBeGreaterThanOrEqual(hue[0])
      expect(degrees, at).toBeLessThanOrEqual(hue[1])
      expect(look.colourfulness, at).toBeGreaterThan(0.3)
    }
  }
})

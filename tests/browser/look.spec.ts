import type { Locator } from '@playwright/test'
import { expect, test } from './test.ts'

test('the page has the theme colours and transitions of 0.3 s; reduced motion removes these and confetti, and moves the dot in steps', async ({
  player,
}) => {
  const { page, startButton } = player
  const status = player.region('Recent attempts').getByText('live', { exact: true })
  const pool = player.region('Prize pool').getByText(/^[\d,]+$/)
  await expect(page.locator('html')).toHaveCSS('background-color', await player.themeColour('--background'))
  await expect(page.locator('body')).toHaveCSS('color', await player.themeColour('--text'))
  await expect(startButton).toHaveCSS('background-color', await player.themeColour('--primary'))
  await expect(status).toHaveCSS('color', await player.themeColour('--secondary'))
  await expect(pool).toHaveCSS('color', await player.themeColour('--accent'))
  await expect(startButton).toHaveCSS('transition-duration', /^(0\.3s)(, 0\.3s)*$/)
  await expect(startButton).toHaveCSS('transition-timing-function', /^(ease-in-out)(, ease-in-out)*$/)

  await page.emulateMedia({ reducedMotion: 'reduce' })
  await expect(startButton).toHaveCSS('transition-duration', /^0s(, 0s)*$/)
  const requests: string[] = []
  page.on('request', request => requests.push(request.url()))
  await player.start()
  const easing = await page.evaluate<string[]>(
    'document.getAnimations().map(a => getComputedStyle(a.effect.target).animationTimingFunction)',
  )
  expect(easing).toEqual(['steps(5)'])
  // The dot moves once a second, so at 3.5 s it is still three fifths along the track.
  const share = await page.evaluate<number>(`(() => {
    const [crossing] = document.getAnimations()
    crossing.pause()
    crossing.currentTime = 3_500
    const { m41 } = new DOMMatrix(getComputedStyle(crossing.effect.target).transform)
    return m41 / crossing.effect.target.clientWidth
  })()`)
  expect(share).toBeCloseTo(0.6, 2)
  await player.stop(38)
  await expect(player.wonButton).toBeVisible()
  const frame = "getComputedStyle(document.querySelector('.stage'), '::before').borderTopColor"
  expect(await page.evaluate(frame), 'the frame is gold').toBe(await player.themeColour('--perfect'))
  // Text may still fade in, because a fade moves nothing. An animation without a duration ends at the next frame.
  const moving = await page.evaluate<string[]>(`document.getAnimations()
    .filter(({ effect }) => effect.getComputedTiming().activeDuration > 0)
    .flatMap(({ effect }) => effect.getKeyframes().flatMap(Object.keys))
    .filter(name => ['transform', 'translate', 'scale', 'rotate'].includes(name))`)
  expect(moving).toEqual([])
  expect(requests.filter(url => url.includes('confetti'))).toEqual([])
})

test('everything but the target, track and button fades for ten seconds of a run, unless focused or hovered', async ({
  visit,
}) => {
  const player = await visit({ viewport: { width: 1_280, height: 800 } })
  const { page } = player
  await page.clock.install()
  await player.open()
  const loud = [player.region('Track'), player.region('Target Time'), player.stopButton]
  const quiet = [
    player.region('Leaderboard'),
    player.region('Recent attempts'),
    page.getByRole('banner'),
  ] as const
  const areAt = async (places: readonly Locator[], opacity: string) => {
    for (const place of places) await expect(place).toHaveCSS('opacity', opacity)
  }
  await player.start()
  // Pauses the clock, so that a slow machine cannot use up the ten seconds.
  await player.pauseClock()
  await areAt(quiet, '0.2')
  await areAt(loud, '1')

  const [board, attempts, banner] = quiet
  await board.hover()
  await player.username.focus()
  await areAt([board, banner], '1')
  await page.emulateMedia({ contrast: 'more' })
  await areAt(quiet, '1')
  await page.emulateMedia({ contrast: 'no-preference' })
  await areAt([attempts], '0.2')
  await page.clock.runFor(4_000)
  await player.settle()
  await areAt([attempts], '0.2')
  await page.clock.runFor(6_000)
  await areAt(quiet, '1')
  await expect(player.stopButton).toBeVisible()
})

test('with forced colours, Start looks as before a round once it is enabled again', async ({ visit }) => {
  const player = await visit({ forcedColors: 'active', reducedMotion: 'reduce' })
  await player.open()
  // A press leaves the pointer on the button.
  await player.startButton.hover()
  const before = await player.startButton.screenshot()
  const answer = await player.holdBack('**/api/attempts')
  await player.start()
  await player.stop(700)
  await expect(player.startButton).toBeDisabled()
  await player.settle()
  expect(before.equals(await player.startButton.screenshot()), 'a disabled Start looks different').toBe(false)
  answer()
  await expect(player.startButton).toBeEnabled()
  await player.settle()
  expect(before.equals(await player.startButton.screenshot())).toBe(true)
})

/** Records the frequency of every tone, in Hz. */
const RECORD_TONES = `
  globalThis.heard = []
  globalThis.OscillatorNode = class extends OscillatorNode {
    constructor(audio, options) {
      super(audio, options)
      heard.push(Math.round(options.frequency))
    }
  }
`

const RECORD_VIBRATIONS = `
  globalThis.felt = []
  navigator.vibrate = pattern => felt.push(pattern)
`

test('the game is silent until sound is turned on, and remembers the choice', async ({ visit }) => {
  const player = await visit()
  const { page } = player
  const requests: string[] = []
  page.on('request', request => requests.push(request.url()))
  await page.addInitScript(RECORD_TONES)
  await player.open()
  const heard = () => page.evaluate<number[]>('heard')
  const sound = player.button('Sound')
  await expect(sound).toHaveAttribute('aria-pressed', 'false')
  await player.play(250)
  expect(await heard()).toEqual([])
  expect(requests.filter(url => url.includes('sounds'))).toEqual([])

  await sound.click()
  await expect(sound).toHaveAttribute('aria-pressed', 'true')
  await expect.poll(heard, 'turning sound on plays a tone').toEqual([880])
  await page.keyboard.press('Space')
  await expect(player.stopButton, 'Space still plays').toBeVisible()
  await page.reload()
  await expect(sound).toHaveAttribute('aria-pressed', 'true')
  await player.play(250)
  await expect.poll(heard, 'the tones of a start and a stop').toEqual([880, 740])
  await player.win(20)
  await expect
    .poll(async () => (await heard()).length, 'the tones of another start, a close stop and a win')
    .toBe(2 + 1 + 3 + 7)

  await player.keepPlaying()
  await sound.click()
  await player.play(250)
  expect(await heard()).toHaveLength(13)
})

test('a phone vibrates until sound is turned on and off, which turns both on, then off', async ({
  visit,
}) => {
  const player = await visit({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  const { page } = player
  await page.addInitScript(RECORD_TONES)
  await page.addInitScript(RECORD_VIBRATIONS)
  await player.open()
  const felt = () => page.evaluate('felt')
  await player.play(250)
  await expect.poll(felt).toEqual([[12], [20]])
  await player.win()
  await expect.poll(felt).toEqual([[12], [20], [12], [20, 40, 20], [40, 60, 40, 60, 120]])
  expect(await page.evaluate('heard')).toEqual([])
  await player.keepPlaying()
  const sound = player.button('Sound')
  await sound.tap()
  await expect.poll(felt, 'a sample').toHaveLength(6)
  await player.play(250)
  await expect.poll(felt).toHaveLength(8)
  await expect.poll(() => page.evaluate('heard.length')).toBeGreaterThan(0)
  await sound.tap()
  await player.play(250)
  expect(await felt()).toHaveLength(8)
})

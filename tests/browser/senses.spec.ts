import { expect, test } from './test.ts'

/** Notes down every tone that the page makes, in Hz. */
const HEAR = `
  globalThis.heard = []
  globalThis.OscillatorNode = class extends OscillatorNode {
    constructor(audio, options) {
      super(audio, options)
      heard.push(Math.round(options.frequency))
    }
  }
`
/** Notes down every vibration, in ms. */
const FEEL = `
  globalThis.felt = []
  navigator.vibrate = pattern => felt.push(pattern)
`

test('the game is silent until it is asked to be heard, and remembers that', async ({ visit }) => {
  const player = await visit()
  const { page } = player
  const requests: string[] = []
  page.on('request', request => requests.push(request.url()))
  await page.addInitScript(HEAR)
  await player.open()
  const heard = () => page.evaluate<number[]>('heard')
  const sound = player.button('Sound')
  await expect(sound).toHaveAttribute('aria-pressed', 'false')
  await player.play(250)
  expect(await heard()).toEqual([])
  expect(requests.filter(url => url.includes('sounds'))).toEqual([])

  await sound.click()
  await expect(sound).toHaveAttribute('aria-pressed', 'true')
  await expect.poll(heard, 'turning it on is heard').toEqual([880])
  await page.reload()
  await expect(sound).toHaveAttribute('aria-pressed', 'true')
  await player.play(250)
  await expect.poll(heard, 'start, and a stop that is not bad').toEqual([880, 740])
  await player.win(20)
  await expect.poll(async () => (await heard()).length, 'start, a close stop, a win').toBe(2 + 1 + 3 + 7)

  await player.keepPlaying()
  await sound.click()
  await player.play(250)
  expect(await heard()).toHaveLength(13)
})

test('after the switch was clicked, Space still plays', async ({ player }) => {
  await player.button('Sound').click()
  await player.page.keyboard.press('Space')
  await expect(player.stopButton).toBeVisible()
})

test('a phone is felt as well', async ({ visit }) => {
  const player = await visit({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  await player.page.addInitScript(FEEL)
  await player.open()
  await player.button('Sound and vibration').tap()
  await player.play(250)
  await expect.poll(() => player.page.evaluate('felt')).toEqual([[12], [12], [20]])
})

import { LIVE_WRITES_PER_SECOND } from '../../contract/rules.ts'
import { Crowd } from '../support/crowd.ts'
import { makeAccount } from './accounts.ts'
import { expect, test } from './test.ts'

/** The parts that keep their place in every state, and the edges that a player would see move. */
const PLACES = `(() => {
  const places = {}
  const measure = (selectors, ...edges) => {
    for (const selector of selectors) {
      const box = document.querySelector(selector)?.getBoundingClientRect()
      for (const edge of box ? edges : []) places[selector + ' ' + edge] = box[edge]
    }
  }
  measure(['.title', '.bar .icon-button', '.pool .label', '.timing .label'], 'left', 'top')
  measure(['.who'], 'left', 'top', 'bottom')
  measure(['.balance', '.pill--action', '.rail', '.play'], 'left', 'right', 'top', 'bottom')
  measure(['.board', '.board + .board', '.ranks', '.attempts'], 'left', 'right', 'top', 'bottom')
  measure(['.live-status'], 'right', 'top')
  // The main button of every mode has its own width and height, but the same middle.
  const main = document.querySelector('.primary').getBoundingClientRect()
  places['the middle of the main button'] = (main.top + main.bottom) / 2
  return places
})()`

type Places = Readonly<Record<string, number>>

/** Returns the parts of `now` that are not where they were `before`, allowing for rounding. */
function moved(before: Places, now: Places): string[] {
  return Object.entries(now)
    .filter(([part, at]) => Math.abs(at - (before[part] ?? at)) > 1)
    .map(([part, at]) => `${part}: ${before[part]} → ${at}`)
}

const SCREENS = [
  { width: 390, height: 844 },
  { width: 320, height: 568 },
  { width: 844, height: 390 },
  { width: 700, height: 860 },
  { width: 1_280, height: 800 },
]

test('nothing shifts from first paint through win, claim and logout, while many other guests play', async ({
  visit,
  server,
}) => {
  const player = await visit({ reducedMotion: 'reduce' })
  const { page } = player
  const places = new Map<object, Places>()
  const expectNoShift = async (when: string) => {
    for (const screen of SCREENS) {
      await page.setViewportSize(screen)
      const before = places.get(screen) ?? {}
      const now = await player.settle<Places>(PLACES)
      expect.soft(moved(before, now), `${when}, ${screen.width}×${screen.height}`).toEqual([])
      places.set(screen, { ...before, ...now })
    }
  }
  const crowd = await Crowd.playSteadily(server.url, LIVE_WRITES_PER_SECOND)
  await player.open()
  await expect(player.region('Recent attempts').getByText('live', { exact: true })).toBeVisible()
  await expectNoShift('at first')
  for (const difference of [-240, 1_240, 130]) {
    await player.start()
    await expectNoShift('while running')
    await player.stop(difference)
    await expect(player.startButton).toBeEnabled()
    await expectNoShift('after a Stop')
  }
  await player.win(3)
  await expectNoShift('in claim mode')
  await player.keepPlaying()
  await expect(player.chip).toBeVisible()
  await player.play(700)
  await expectNoShift('after a win')
  await player.button('Login').click()
  await expectNoShift('in login mode')
  await player.button('Cancel').click()
  await player.logIn(await makeAccount(server))
  await expect(player.button('Logout')).toBeVisible()
  await expectNoShift('after a login')
  await player.pressInClaim(/^Claim [\d,]+ TAPS$/)
  await expect(player.startButton).toBeEnabled()
  const won = await player.win(2)
  await expectNoShift('in claim mode, as a user')
  await player.pressInClaim(`Claim ${won} TAPS`)
  await expect(page.getByText(/TAPS claimed/)).toBeVisible()
  await player.play(700)
  await expectNoShift('after a claim')
  await player.button('Logout').click()
  await expect(player.button('Login')).toBeVisible()
  await expectNoShift('after a logout')
  await crowd.leave()
})

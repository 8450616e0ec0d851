import { LIVE_WRITES_PER_SECOND } from '../../contract/rules.ts'
import { Crowd } from '../support/busy-stream.ts'
import { LONG } from '../support/size.ts'
import { makeAccount } from './accounts.ts'
import { expect, test } from './test.ts'

/** Records every layout shift, including shifts after a press. */
const WATCH_SHIFTS = `
  globalThis.shifts = []
  new PerformanceObserver(list => {
    for (const { value, sources } of list.getEntries()) {
      const moved = sources.map(({ node, previousRect: from, currentRect: to }) =>
        [node?.className, node?.textContent, 'from', from.x, from.y, 'to', to.x, to.y].join(' '))
      shifts.push(value.toFixed(4) + ': ' + moved.join(', '))
    }
  }).observe({ type: 'layout-shift', buffered: true })
`

const SCREENS: readonly (readonly [number, number])[] = [
  [360, 860],
  [700, 860],
  [844, 390],
  [1_280, 860],
]

for (const [width, height] of LONG ? SCREENS : SCREENS.slice(0, 1)) {
  const title = `nothing shifts at ${width}×${height} from first paint through win, claim and logout, while many other guests play`
  test(title, async ({ visit, server }) => {
    const player = await visit({ viewport: { width, height } })
    const { page } = player
    const expectNoShift = async (when: string) => {
      await player.settle()
      expect(await page.evaluate('shifts'), when).toEqual([])
    }
    const crowd = await Crowd.gather(server.url, LIVE_WRITES_PER_SECOND)
    await page.addInitScript(WATCH_SHIFTS)
    await player.open()
    await expect(player.region('Recent attempts').getByText('live', { exact: true })).toBeVisible()
    for (const difference of [-240, 1_240, 130]) await player.play(difference)
    await expectNoShift('while playing')
    await player.win(3)
    await player.keepPlaying()
    await expect(player.chip).toBeVisible()
    await player.play(700)
    await expectNoShift('after a win')
    await player.button('Login').click()
    await player.button('Cancel').click()
    await player.logIn(await makeAccount(server))
    await expect(player.button('Logout')).toBeVisible()
    await expectNoShift('after a login')
    await player.settleClaim()
    await page.getByRole('button', { name: /^Claim [\d,]+ TAPS$/ }).click()
    await expect(player.startButton).toBeEnabled()
    const won = await player.win(2)
    await player.button(`Claim ${won} TAPS`).click()
    await expect(page.getByText(/TAPS claimed/)).toBeVisible()
    await player.play(700)
    await expectNoShift('after a claim')
    await player.button('Logout').click()
    await expect(player.button('Login')).toBeVisible()
    await expectNoShift('after a logout')
    await crowd.leave()
  })
}

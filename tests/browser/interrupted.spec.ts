import { formatTime } from '../../contract/time.ts'
import { PASSWORD, type Player } from '../support/page-player.ts'
import { expect, test } from './test.ts'

/** Rounds interrupted between Start and Stop, and clocks that lie; see docs/decisions/0009. */

const INTERRUPTED = 'The round was interrupted. Press Start to try the same target again.'

const HOUR_MS = 3_600_000

const setVisible = ({ page }: Player, visible: boolean) =>
  page.evaluate(`
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${!visible} })
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => '${visible ? 'visible' : 'hidden'}' })
    document.dispatchEvent(new Event('visibilitychange'))`)

/** Expects an idle page that shows `note` and no result. */
async function expectEnded(player: Player, note: string): Promise<void> {
  await expect(player.page.getByText(note, { exact: true })).toBeVisible()
  await expect(player.startButton).toBeEnabled()
  await expect(player.region('Result').getByRole('definition')).toHaveCount(0)
  await expect(player.region('Target Time')).toContainText('–.––')
  await expect(player.region('Track')).toHaveText('0.00')
}

async function expectTime(player: Player, ms: number): Promise<void> {
  await expect(player.region('Result').getByRole('definition').first()).toHaveText(`${formatTime(ms)}s`)
}

test("a round continues in a hidden tab and whatever the device's clock says; the back/forward cache ends the round but keeps its target", async ({
  player,
}) => {
  const { page } = player
  const target = await player.start()
  await setVisible(player, false)
  await setVisible(player, true)
  for (const ms of [HOUR_MS, -2 * HOUR_MS]) {
    await page.evaluate(`{ const now = Date.now; Date.now = () => now() + ${ms} }`)
  }
  await player.stop(340)
  await expectTime(player, target + 340)

  const next = await player.start()
  // Dispatches the event of the back/forward cache, because the test browser has no such cache.
  const sessionLoaded = page.waitForResponse('**/api/session')
  await page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
  await sessionLoaded
  await expectEnded(player, INTERRUPTED)
  expect(await player.start()).toBe(next)
  await player.stop(340)
  await expectTime(player, next + 340)
})

/** Gives the test the page's clock, and makes the stamps of all events lie, as after a resume. */
const LIE = `
  let now = 400_000
  performance.now = () => now
  globalThis.pass = ms => { now += ms }
  Object.defineProperty(Event.prototype, 'timeStamp', { get: () => now - 300_000 })`

test('a round, "Keep playing" and a claim work where the stamps of events are five minutes behind', async ({
  visit,
}) => {
  // Without motion, because a balance that counts up would follow the page's clock.
  const player = await visit({ reducedMotion: 'reduce' })
  const { page } = player
  await page.addInitScript(LIE)
  await player.open()
  const pass = (ms: number) => page.evaluate(`pass(${ms})`)
  const win = async () => {
    await pass(1_000)
    await player.startButton.click()
    const target = await player.target()
    await pass(target + 15)
    await page.keyboard.press('Space')
    await expectTime(player, target + 15)
    await expect(player.wonHeading).toBeVisible()
    await pass(1_000)
  }
  await win()
  await player.button('Keep playing').click()
  await win()
  await player.password.fill(PASSWORD)
  await player.button('Create account & claim 2 TAPS').click()
  await player.expectBalance(2)
})

test('a page whose live stream is replaced reads again who plays and what they played, as after a sleep', async ({
  visit,
}) => {
  const player = await visit()
  const { page } = player
  await page.addInitScript(`
    globalThis.EventSource = class extends EventSource {
      constructor(...args) {
        super(...args)
        globalThis.stream = this
      }
    }`)
  await player.open()
  await expect(player.region('Recent attempts').getByText('live', { exact: true })).toBeVisible()
  const reads = ['/api/session', '/api/attempts/mine'].map(path =>
    page.waitForResponse(`**${path}`, { timeout: 30_000 }),
  )
  await page.evaluate("stream.dispatchEvent(new Event('error'))")
  await Promise.all(reads)
})

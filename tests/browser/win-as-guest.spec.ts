import type { Session } from '../../contract/api.ts'
import { CLAIM_DEBOUNCE_MS } from '../../contract/rules.ts'
import { withClient } from '../support/connect.ts'
import { pressSpace } from '../support/devices.ts'
import type { Player } from '../support/page-player.ts'
import { expect, test } from './test.ts'

/**
 * Reads a win inside the page, because a busy test could miss its 1.8 s. Then clicks the main button, like an
 * accidental press. `labels` receives every label that the enabled button has had since.
 */
const READ_AND_CLICK = `new Promise(resolve => {
  globalThis.labels = []
  const observer = new MutationObserver(() => {
    const button = document.querySelector('.play:enabled')
    if (button) labels.push(button.textContent)
    const text = document.querySelector('[aria-label=Result]')?.textContent ?? ''
    if (!text.includes('You won')) return
    resolve({ text, label: button?.textContent })
    button?.click()
  })
  observer.observe(document.body, { subtree: true, childList: true, characterData: true })
})`

test('a guest who wins sees the whole pool, then claim mode with their time and how long the prize is held', async ({
  player,
}) => {
  const { page } = player
  const pool = await player.pool()
  const cdp = await page.context().newCDPSession(page)
  const before = Date.now()
  await player.start()
  const seen = page.evaluate<Record<string, string>>(READ_AND_CLICK)
  await player.stop(-75)
  const { text, label } = await seen
  expect(text).toContain(`You won ${pool + 1} TAPS`)
  expect(text).toContain('Nearly there! Just a tiny adjustment needed!')
  expect(label).toBe(`You won ${pool + 1} TAPS`)
  await expect(player.button('Keep playing')).toBeFocused()
  const labels = await page.evaluate<string[]>('labels')
  expect(labels.filter(label => label.startsWith('Start'))).toEqual([])
  // This press is dated before claim mode, so it must not close claim mode.
  await pressSpace(cdp, { x: 0, y: 0 }, before)
  await expect(player.wonHeading, 'claim mode opens by itself and stays open').toHaveText(`${pool + 1} TAPS`)
  await expect(page.getByText(/^\d\.\d\d s for \d\.\d\d s, −0\.075 s$/)).toBeVisible()
  await expect(page.getByText(/^held for you \d+:\d\d$/)).toBeVisible()
  await expect(player.startButton).toBeHidden()
  const countdown = page.getByText(/^1[45]:\d\d$/)
  const shown = await countdown.innerText()
  await expect(countdown, 'the countdown moves').not.toHaveText(shown)
})

test('"Keep playing" keeps the prize; the chip reopens claim mode, and another win adds to the prize', async ({
  player,
}) => {
  const first = await player.win()
  await player.keepPlaying()
  await player.expectPool(0)
  await expect(player.chip).toHaveText(`${first} TAPS to claim`)
  await expect(player.chip).toHaveAttribute('data-left', /^1[45]:\d\d$/)
  await player.play(444)
  await player.expectPool(1)
  await player.page.reload()
  await expect(player.wonHeading, 'a reload returns to claim mode').toBeVisible()
  await player.keepPlaying()
  await player.chip.click()
  await expect(player.wonHeading).toHaveText(`${first} TAPS`)
  await expect(player.page.getByText('Yours to claim', { exact: true })).toBeVisible()

  await player.keepPlaying()
  expect(await player.win()).toBe(first + 2)
  await expect(player.page.getByText('You won 2 more', { exact: true })).toBeVisible()
})

/** Shortens the hold in the session's answer. The page counts down, then asks the server again. */
async function shortenHold(player: Player, heldSeconds: number): Promise<void> {
  await player.changeAnswers<Session>('**/api/session', session => ({
    ...session,
    prize: session.prize && { ...session.prize, held_seconds: heldSeconds },
  }))
}

test('an expired hold returns its TAPS to the pool, and claim mode says so', async ({ visit, server }) => {
  const player = await visit()
  await player.open()
  const viewer = await visit()
  await viewer.open()
  const won = await player.win()
  await shortenHold(player, 3)
  await player.page.reload()
  await expect(player.wonHeading).toBeVisible()
  // Claim mode knows the end of the hold before the server answers.
  const answer = await player.holdBack('**/api/session')
  await viewer.expectPool(0)
  await withClient(server.connection, client =>
    client.query(
      'update holds set held_until = clock_timestamp() where held_until = (select max(held_until) from holds)',
    ),
  )
  await viewer.expectPool(won)
  await expect(player.page.getByRole('heading', { name: 'Your prize is no longer held' })).toBeVisible()
  const why = player.page.getByText('The hold has ended, and the TAPS are back in the pool.')
  await expect(why).toBeVisible()
  const [message, button] = await Promise.all([
    why.boundingBox(),
    player.button('Keep playing').boundingBox(),
  ])
  expect(button?.y, 'the button is below the message').toBeGreaterThan(
    (message?.y ?? Number.POSITIVE_INFINITY) + 1,
  )
  answer()
  await player.keepPlaying()
  await player.expectPool(won)
  await expect(player.chip).toBeHidden()
})

test('the chip turns urgent in the last minute of a hold, and a message says that the hold has ended', async ({
  visit,
  server,
}) => {
  const player = await visit()
  const { page } = player
  await player.open()
  const won = await player.win()
  await page.clock.install()
  await page.reload()
  await expect(player.wonHeading).toBeVisible()
  await page.clock.runFor(CLAIM_DEBOUNCE_MS)
  await player.button('Keep playing').click()
  const showHoldOf = async (seconds: number) => {
    await shortenHold(player, seconds)
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
  }
  await showHoldOf(119)
  await expect(player.chip).toHaveAttribute('data-left', /^1:/)
  await expect(player.chip).toHaveAttribute('data-urgent', 'false')
  await showHoldOf(3)
  await expect(player.chip).toHaveAttribute('data-urgent', 'true')
  await withClient(server.connection, client =>
    client.query(
      'update holds set held_until = clock_timestamp() where held_until = (select max(held_until) from holds)',
    ),
  )
  await page.clock.runFor(4_000)
  const ended = page.getByRole('status').getByText(`Hold ended: ${won} TAPS back in the pool`)
  await expect(ended).toBeVisible()
  await expect(player.chip).toBeHidden()
  await page.clock.runFor(5_000)
  await expect(ended).toBeHidden()
  await player.expectPool(won)
})

/** Counts the shapes in each canvas frame, one for each particle, and collects their opaque colours. */
const COUNT_SHAPES = `
  globalThis.shapes = { most: 0, colours: new Set() }
  let now = 0
  const { fill, clearRect } = CanvasRenderingContext2D.prototype
  CanvasRenderingContext2D.prototype.fill = function (...path) {
    shapes.most = Math.max(shapes.most, ++now)
    if (this.fillStyle.startsWith('#')) shapes.colours.add(this.fillStyle)
    return fill.apply(this, path)
  }
  CanvasRenderingContext2D.prototype.clearRect = function (...box) {
    now = 0
    return clearRect.apply(this, box)
  }
`

test('a win is celebrated with 100 particles in 5 colours, and a miss is not', async ({ visit }) => {
  const player = await visit()
  const { page } = player
  const requests: string[] = []
  page.on('request', request => requests.push(request.url()))
  await page.addInitScript(COUNT_SHAPES)
  await player.open()
  await player.play(101)
  expect(requests.filter(url => url.includes('confetti'))).toEqual([])

  await player.win(100)
  await expect.poll(() => page.evaluate('shapes.most')).toBe(100)
  expect(await page.evaluate('shapes.colours.size')).toBe(5)
  await expect(page.locator('canvas'), 'the canvas is removed afterwards').toHaveCount(0)
})

test('"Share" passes the text of a result and the address to join to the device', async ({ visit }) => {
  const player = await visit()
  const { page } = player
  await page.addInitScript('navigator.share = async shared => { globalThis.shared = shared }')
  await player.nameAddress('https://taps.example.org')
  await player.open()
  await player.play(-412)
  await player.button('Share').click()
  await expect(page.getByText('Shared', { exact: true })).toBeVisible()
  expect(await page.evaluate('shared')).toEqual({
    text: expect.stringMatching(
      /^TAPS \d\.\d\d s for \d\.\d\d s\n🟧 best 0\.412 s\nPool: \d+ TAPS\. Closer\?$/u,
    ),
    url: 'https://taps.example.org/',
  })
})

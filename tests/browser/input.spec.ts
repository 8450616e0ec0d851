import { START_DEBOUNCE_MS, STOP_DEBOUNCE_MS } from '../../contract/rules.ts'
import { formatDifference } from '../../contract/time.ts'
import { pressEnter, pressSpace, pressWithFinger, pressWithMouse, pressWithPen } from '../support/devices.ts'
import { middleOf } from '../support/timed-round.ts'
import { expect, test } from './test.ts'

/** A difference too large to win, so that the result stays in view. */
const MISS_MS = 237

const DEVICES = [pressWithMouse, pressWithPen, pressWithFinger, pressSpace, pressEnter]

test('mouse, pen, finger, Space and Enter start and stop rounds at their event times, and accidental presses are ignored', async ({
  visit,
}) => {
  const player = await visit({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } })
  await player.open()
  await expect(player.startButton).toHaveCSS('touch-action', 'manipulation')
  const button = player.startButton.or(player.stopButton)
  for (const [turn, device] of DEVICES.entries()) {
    const off = MISS_MS + turn
    const target = await player.start(device)
    await player.press(STOP_DEBOUNCE_MS - 1, device)
    await expect(player.stopButton).toBeVisible()
    await player.press(target + off - (STOP_DEBOUNCE_MS - 1), device)
    await expect(player.startButton).toBeEnabled()
    await player.press(START_DEBOUNCE_MS - 1, device)
    await expect(button, 'an ignored press does not dim the button').toHaveCSS('opacity', '1')
    await expect(player.region('Result')).toContainText(`${formatDifference(off)}s`)
    await expect(button, 'the pressed button has the focus').toBeFocused()
  }
  expect(await player.page.evaluate('visualViewport.scale'), 'a double tap does not zoom the page').toBe(1)
  await player.press(1, pressWithFinger)
  await expect(player.stopButton).toBeVisible()
})

test('Space held over a remote desktop, which sends pairs of press and release, plays once; a tap after a pause counts', async ({
  player,
}) => {
  const { page } = player
  const cdp = await page.context().newCDPSession(page)
  const space = { key: ' ', code: 'Space', windowsVirtualKeyCode: 32 }
  // The page takes a stamp that lies ahead, but none that a busy machine delivers two seconds late.
  const from = Date.now() + 4_000
  const send = (type: 'keyDown' | 'keyUp', afterMs: number) =>
    cdp.send('Input.dispatchKeyEvent', { ...space, type, timestamp: (from + afterMs) / 1_000 })
  const REPEAT_MS = 33
  const heldMs = 36 * REPEAT_MS
  const held = Array.from({ length: heldMs / REPEAT_MS }, (_, index) => index * REPEAT_MS)
  await Promise.all(
    held.flatMap(afterMs => [send('keyDown', afterMs), send('keyUp', afterMs + REPEAT_MS - 1)]),
  )
  await expect(player.stopButton).toBeVisible()
  await expect(player.region('Result').getByRole('definition')).toHaveCount(0)
  // Longer than the shortest pause, because the browser rounds stamps.
  await send('keyDown', heldMs + 39)
  await send('keyUp', heldMs + 69)
  await expect(player.region('Result').getByRole('definition').first()).toHaveText(/^1\.2[23]s$/)
})

test('a click that no pointer or key preceded plays, as from a screen reader', async ({ player }) => {
  await player.startButton.dispatchEvent('click')
  await expect(player.stopButton).toBeVisible()
  await expect(async () => {
    // Clicks again, because a Stop soon after Start is a slip.
    await player.stopButton.dispatchEvent('click')
    await expect(player.stopButton).toBeHidden({ timeout: STOP_DEBOUNCE_MS })
  }).toPass()
  await expect(player.region('Result').getByRole('definition')).toHaveCount(3)
})

/** Fields that extensions add to a page. `field` receives the focus. */
const FOREIGN: Readonly<Record<string, string>> = {
  'an open shadow root':
    "const field = host.attachShadow({ mode: 'open' }).appendChild(document.createElement('input'))",
  'a closed shadow root':
    "const field = host.attachShadow({ mode: 'closed' }).appendChild(document.createElement('input'))",
  'an editable element': "host.contentEditable = 'true'; const field = host",
  'a text box': "host.role = 'textbox'; host.tabIndex = 0; const field = host",
  'an audio player':
    "const field = host.appendChild(document.createElement('audio')); field.controls = true; field.tabIndex = 0",
  'a dialog':
    "const field = host.appendChild(document.createElement('dialog')); field.tabIndex = 0; field.showModal()",
}

test('Space in a field that an extension has added plays nothing and reaches the field', async ({
  player,
}) => {
  const { page } = player
  for (const [name, addField] of Object.entries(FOREIGN)) {
    for (const parent of ['body', '.page']) {
      await page.evaluate(`{
        const host = document.querySelector('${parent}').appendChild(document.createElement('div'))
        host.id = 'foreign'
        ${addField}
        field.focus()
        addEventListener('keydown', event => { globalThis.prevented = event.defaultPrevented }, { once: true })
      }`)
      await page.keyboard.press('Space')
      expect(await page.evaluate('prevented'), `${name} in ${parent}`).toBe(false)
      await expect(player.startButton, `${name} in ${parent}`).toBeVisible()
      await page.evaluate("document.getElementById('foreign').remove()")
    }
  }
  await page.keyboard.press('Space')
  await expect(player.stopButton).toBeVisible()
})

test('a swipe that begins on the button plays no Start, but a Stop', async ({ visit }) => {
  const player = await visit({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 500 } })
  const { page } = player
  await player.open()
  const cdp = await page.context().newCDPSession(page)
  const cancelled = () => page.evaluate<number>('cancelled')
  await page.evaluate("globalThis.cancelled = 0; addEventListener('pointercancel', () => { cancelled += 1 })")
  /** @param at - The time of the touch; now by default. */
  const swipe = async (at = Date.now()) => {
    const { x, y } = await middleOf(player.startButton.or(player.stopButton))
    const before = await cancelled()
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
      cdp.send('Input.dispatchTouchEvent', { type, touchPoints, timestamp: at / 1_000 })
    await touch('touchStart', [{ x, y }])
    for (let step = 1; step <= 8; step += 1) await touch('touchMove', [{ x, y: y - 10 * step }])
    await expect.poll(cancelled).toBe(before + 1)
    await touch('touchEnd', [])
  }
  await swipe()
  await expect(player.startButton).toBeVisible()
  await player.start(pressWithFinger)
  await player.press(STOP_DEBOUNCE_MS, (_cdp, _point, at) => swipe(at))
  await expect(player.stopButton).toBeHidden()
})

test('a press counts as soon as the button appears', async ({ visit }) => {
  const player = await visit()
  const content = `
    const observer = new MutationObserver(() => {
      if (document.querySelector('button.play:enabled') === null) return
      observer.disconnect()
      document.body.dispatchEvent(new KeyboardEvent('keydown', { code: 'Space', key: ' ', bubbles: true }))
    })
    observer.observe(document, { childList: true, subtree: true, attributes: true })`
  await player.page.addInitScript({ content })
  await player.page.goto('/')
  await expect(player.stopButton).toBeVisible()
})

test('a held key plays once, and Space does not scroll the page', async ({ visit }) => {
  const player = await visit({ viewport: { width: 800, height: 300 } })
  await player.open()
  const { page } = player
  await page.keyboard.down('Space')
  await expect(player.stopButton).toBeVisible()
  // Playwright sends a second `down` of the same key as a repeat, like a keyboard.
  for (let repeats = 0; repeats < 5; repeats += 1) await page.keyboard.down('Space')
  await page.keyboard.up('Space')
  await expect(player.stopButton).toBeVisible()
  expect(await page.evaluate('scrollY')).toBe(0)
  await player.press(Date.now() + 1_000, pressSpace)
  await expect(player.stopButton).toBeHidden()
})

test('a blank name shows the alert at Start and sends nothing', async ({ player }) => {
  const { page, username } = player
  const sent: string[] = []
  page.on('request', request => sent.push(`${request.method()} ${request.url()}`))
  for (const blank of ['', '   ']) {
    await username.fill(blank)
    const alert = page.waitForEvent('dialog')
    const press = page.getByRole('button', { name: 'Start' }).click()
    const dialog = await alert
    expect(dialog.type()).toBe('alert')
    expect(dialog.message()).toBe('Please enter your name first!')
    await dialog.accept()
    await press
    await expect(player.startButton).toBeVisible()
    await expect(username).toBeFocused()
  }
  expect(sent).toEqual([])

  await username.fill('Somebody')
  await player.start()
})

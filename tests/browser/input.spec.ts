import { formatDifference } from '../../contract/time.ts'
import { pressEnter, pressSpace, pressWithFinger, pressWithMouse, pressWithPen } from '../support/devices.ts'
import type { Player } from '../support/page-player.ts'
import { expect, test } from './test.ts'

/** Off enough not to win, so that the result stays in view. */
const MISS_MS = 237

async function expectDifference(player: Player, ms: number): Promise<void> {
  await expect(player.region('Result').getByText(`${formatDifference(ms)}s`, { exact: true })).toBeVisible()
}

test('mouse, pen, finger and Space start and stop, with the times of their own events', async ({ visit }) => {
  const player = await visit({ hasTouch: true })
  await player.open()
  for (const [turn, press] of [pressWithMouse, pressWithPen, pressWithFinger, pressSpace].entries()) {
    await player.play(MISS_MS + turn, press)
    await expectDifference(player, MISS_MS + turn)
  }
})

test('Enter on the button starts and stops once each', async ({ player }) => {
  await player.startButton.focus()
  await player.play(-MISS_MS, pressEnter)
  await expectDifference(player, -MISS_MS)
  await expect(player.startButton).toBeFocused()
})

test('Space in a field is a letter, and on another control it is that control’s', async ({ player }) => {
  const { page, username, startButton } = player
  await username.fill('Ada')
  await username.press('End')
  await page.keyboard.type(' Lovelace')
  await expect(username).toHaveValue('Ada Lovelace')
  await expect(startButton).toBeVisible()

  await player.button('Login').focus()
  await page.keyboard.press('Space')
  await expect(page.getByRole('textbox', { name: 'Password' })).toBeVisible()
})

test('a press in the very moment in which the button can be seen plays', async ({ visit }) => {
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

test('a held key plays once', async ({ player }) => {
  const { page } = player
  await page.keyboard.down('Space')
  await expect(player.stopButton).toBeVisible()
  // Playwright sends a second `down` of the same key as a repeat, as a keyboard does.
  for (let repeats = 0; repeats < 5; repeats += 1) await page.keyboard.down('Space')
  await page.keyboard.up('Space')
  await expect(player.stopButton).toBeVisible()
  await player.press(Date.now() + 1_000, pressSpace)
  await expect(player.stopButton).toBeHidden()
})

test('Space does not scroll the page, at the press and while it is held', async ({ visit }) => {
  const player = await visit({ viewport: { width: 800, height: 300 } })
  await player.open()
  await player.page.keyboard.down('Space')
  await player.page.keyboard.down('Space')
  await player.page.keyboard.up('Space')
  await expect(player.stopButton).toBeVisible()
  expect(await player.page.evaluate('scrollY')).toBe(0)
})

test('a press counts when it goes down, wherever it is released', async ({ player }) => {
  const { page } = player
  await player.startButton.hover()
  await page.mouse.down()
  await expect(player.stopButton).toBeVisible()
  await page.mouse.move(5, 5)
  await page.mouse.up()
  await expect(player.stopButton).toBeVisible()
})

test('a click that no pointer and no key came before plays, as those of screen readers', async ({
  player,
}) => {
  await player.startButton.dispatchEvent('click')
  await expect(player.stopButton).toBeVisible()
  // Again and again, since a click so soon after Start is a slip.
  const stop = () => player.page.evaluate("document.querySelector('[data-running=true]')?.click()")
  await expect.poll(() => stop().then(() => player.stopButton.isHidden())).toBe(true)
  await expect(player.region('Result').getByRole('definition').first()).toHaveText(/^\d\.\d\ds$/)
})

test('a blank name gets the alert, and nothing is sent', async ({ player }) => {
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

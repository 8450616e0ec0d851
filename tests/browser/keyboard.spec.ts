import { CLAIM_DEBOUNCE_MS } from '../../contract/rules.ts'
import { pressEnter, pressSpace } from '../support/devices.ts'
import { PASSWORD } from '../support/page-player.ts'
import { makeAccount } from './accounts.ts'
import { expect, test } from './test.ts'

/** The most presses of Tab: more than the number of controls on the page. */
const TABS_MAX = 20

/** The outline style of the focused element. */
const RING = `(() => {
  const { activeElement } = document
  return getComputedStyle(activeElement.closest('.who') ?? activeElement).outlineStyle
})()`

test('the whole game can be played with the keyboard alone, and its results are announced', async ({
  player,
  server,
}) => {
  const { page } = player
  const { keyboard } = page
  const name = await makeAccount(server)
  const focused = page.locator(':focus')
  const expectAnnounced = (text: string) =>
    expect(page.getByRole('status').filter({ hasText: text })).toBeVisible()
  /** Presses `key` until the named element has the focus, and checks its focus ring. */
  const tabTo = async (named: string | RegExp, key = 'Tab') => {
    const there = page
      .getByRole('button', { name: named, exact: true })
      .or(page.getByRole('textbox', { name: named, exact: true }))
      .or(page.getByRole('tab', { name: named, exact: true }))
      .and(focused)
    for (let tabs = 0; tabs < TABS_MAX; tabs += 1) {
      await keyboard.press(key)
      if (!(await there.isVisible())) continue
      expect(await page.evaluate(RING), `${named} has a focus ring`).not.toBe('none')
      return
    }
    throw new Error(`${key} does not reach ${named}`)
  }

  await test.step('enters a name and plays a round with Space', async () => {
    await tabTo('Username')
    await keyboard.press('ControlOrMeta+a')
    await keyboard.type('Typing Otter')
    await keyboard.press('Enter')
    await expect(player.startButton).toBeFocused()
    await player.play(612, pressSpace)
    await expect(player.startButton).toBeFocused()
    expect(await page.evaluate(RING), 'playing with Space shows no focus ring').toBe('none')
    await expect(player.attempts.first()).toContainText('Typing Otter')
    await expectAnnounced('0.612 s late')
  })
  await test.step('wins with Enter, leaves claim mode and returns', async () => {
    await player.play(38, pressEnter)
    await expect(player.button('Keep playing')).toBeFocused()
    await keyboard.press('Escape')
    await expect(player.startButton).toBeFocused()
    await tabTo('2 TAPS to claim', 'Shift+Tab')
    await keyboard.press('Enter')
    await expect(player.button('Keep playing')).toBeFocused()
  })
  await test.step('claims by signing in', async () => {
    await page.waitForTimeout(CLAIM_DEBOUNCE_MS)
    await tabTo('Create account')
    await keyboard.press('ArrowRight')
    await tabTo('Username')
    await keyboard.press('ControlOrMeta+a')
    await keyboard.type(name)
    await keyboard.press('Tab')
    await keyboard.type(PASSWORD)
    await keyboard.press('Enter')
    await player.expectLoggedIn(name)
    await player.expectBalance(2)
    await expectAnnounced('2 TAPS claimed. Your balance is 2 TAPS.')
    await expect(player.startButton).toBeFocused()
  })
  await test.step('logs out and opens the login form', async () => {
    await tabTo('Logout', 'Shift+Tab')
    await keyboard.press('Space')
    await expect(player.startButton).toBeFocused()
    await tabTo('Login', 'Shift+Tab')
    await keyboard.press('Enter')
    await expect(player.username).toBeFocused()
  })
})

test('Start gets the focus back after a slow answer, without a ring and without scrolling', async ({
  player,
}) => {
  const { page, startButton } = player
  await page.setViewportSize({ width: 390, height: 664 })
  await startButton.focus()
  expect(await page.evaluate(RING), 'Start has a focus ring before a press').not.toBe('none')
  const answer = await player.holdBack('**/api/attempts')
  await player.start(pressSpace)
  await player.stop(612, pressSpace)
  await expect(startButton).toBeDisabled()
  await page.waitForFunction('document.activeElement === document.body')
  // Chromium blurs a disabled button while React renders, which hides the event from React; other browsers do so later.
  await startButton.dispatchEvent('focusout')
  await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
  await expect(startButton).not.toBeInViewport()
  answer()
  await expect(startButton).toBeFocused()
  expect(await page.evaluate(RING)).toBe('none')
  await expect(startButton).not.toBeInViewport()
})

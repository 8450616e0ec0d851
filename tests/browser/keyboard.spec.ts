import { pressEnter, pressSpace } from '../support/devices.ts'
import { PASSWORD } from '../support/page-player.ts'
import { makeAccount } from './accounts.ts'
import { expect, test } from './test.ts'

/** More than the controls of the page. */
const TABS_MAX = 20

/** The outline of the focused element. */
const RING = `(() => {
  const { activeElement } = document
  return getComputedStyle(activeElement.closest('.who') ?? activeElement).outlineStyle
})()`

test('the whole game is played by the keyboard alone', async ({ player, server }) => {
  const { page } = player
  const { keyboard } = page
  const name = await makeAccount(server)
  const focused = page.locator(':focus')
  /** Moves by Tab to the element of this name, and checks that its focus is visible. */
  const tabTo = async (named: string | RegExp, key = 'Tab') => {
    const there = page
      .getByRole('button', { name: named, exact: true })
      .or(page.getByRole('textbox', { name: named, exact: true }))
      .or(page.getByRole('tab', { name: named, exact: true }))
      .and(focused)
    for (let tabs = 0; tabs < TABS_MAX; tabs += 1) {
      await keyboard.press(key)
      if (!(await there.isVisible())) continue
      expect(await page.evaluate(RING), `the focus on ${named} is seen`).not.toBe('none')
      return
    }
    throw new Error(`No ${key} leads to ${named}`)
  }

  await test.step('a name, and a round by Space', async () => {
    await tabTo('Username')
    await keyboard.press('ControlOrMeta+a')
    await keyboard.type('Typing Otter')
    await keyboard.press('Enter')
    await expect(player.startButton).toBeFocused()
    await player.play(612, pressSpace)
    await expect(player.startButton).toBeFocused()
    expect(await page.evaluate(RING), 'a press is no reason for a ring').toBe('none')
    await expect(player.attempts.first()).toContainText('Typing Otter')
  })
  await test.step('a win by Enter, looked at, left and taken up again', async () => {
    await player.play(38, pressEnter)
    await expect(player.button('Keep playing')).toBeFocused()
    await keyboard.press('Escape')
    await expect(player.startButton).toBeFocused()
    await tabTo('2 TAPS to claim', 'Shift+Tab')
    await keyboard.press('Enter')
    await expect(player.button('Keep playing')).toBeFocused()
  })
  await test.step('a claim by signing in', async () => {
    await player.settleClaim()
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
    await expect(player.startButton).toBeFocused()
  })
  await test.step('out, and to the login', async () => {
    await tabTo('Logout', 'Shift+Tab')
    await keyboard.press('Space')
    await expect(player.startButton).toBeFocused()
    await tabTo('Login', 'Shift+Tab')
    await keyboard.press('Enter')
    await expect(player.username).toBeFocused()
  })
})

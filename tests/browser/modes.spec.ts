import { LIVE_WRITES_PER_SECOND } from '../../contract/rules.ts'
import { Crowd } from '../support/crowd/crowd.ts'
import { makeAccount } from './accounts.ts'
import { moved, PLACES, type Places } from './measures.ts'
import { expect, test } from './test.ts'

const SCREENS = [
  { width: 390, height: 844 },
  { width: 1_280, height: 800 },
]

test('each mode is one history entry and shifts nothing, while many other guests play; Back and Escape leave a mode, and Forward returns to a mode that still applies', async ({
  player,
  server,
}) => {
  const { page } = player
  const places = new Map<object, Places>()
  const expectNoShift = async (when: string) => {
    for (const screen of SCREENS) {
      await page.setViewportSize(screen)
      const now = await player.settle<Places>(PLACES)
      const before = places.get(screen) ?? now
      expect.soft(moved(before, now), `${when}, ${screen.width}×${screen.height}`).toEqual([])
      places.set(screen, { ...before, ...now })
    }
  }
  const urls = new Set([page.url()])
  page.on('framenavigated', () => urls.add(page.url()))
  const entries = () => page.evaluate<number>('history.length')
  const before = await entries()
  const crowd = await Crowd.playSteadily(server.url, LIVE_WRITES_PER_SECOND)
  await player.play(-800)
  await expectNoShift('in the main view')
  await player.button('Login').click()
  await expect(player.username).toHaveValue('')
  await expect(player.password).toBeVisible()
  await expect(player.button('Login')).toHaveCount(1)
  await expect(player.startButton).toBeHidden()
  await expectNoShift('in login mode')
  expect(await entries()).toBe(before + 1)
  await page.goBack()
  await expect(player.startButton).toBeFocused()
  await page.goForward()
  await expect(player.password).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(player.startButton).toBeFocused()
  await page.goForward()
  await page.reload()
  await expect(player.password, 'a reload keeps the mode').toBeVisible()
  await player.button('Cancel').click()
  await expect(player.startButton).toBeFocused()

  const name = await makeAccount(server)
  await player.logIn(name)
  await player.expectLoggedIn(name)
  await expect(player.startButton, 'Start has the focus after a login').toBeFocused()
  await page.goForward()
  await expect(player.startButton, 'a user does not return to the login form').toBeVisible()
  await expectNoShift('after a login')

  await player.win(20)
  await expectNoShift('in claim mode')
  const claimButton = page.getByRole('button', { name: /^Claim / })
  await expect(claimButton, 'claim mode focuses its first button').toBeFocused()
  await page.setViewportSize({ width: 844, height: 300 })
  await page.evaluate('scrollTo(0, 100)')
  expect(await page.evaluate('scrollY')).toBeGreaterThan(0)
  await page.goBack()
  await expect(player.startButton).toBeFocused()
  expect(await page.evaluate('scrollY'), 'a mode opens at the top').toBe(0)
  await page.goForward()
  await expect(claimButton).toBeFocused()
  await player.pressInClaim(/^Claim /)
  await expect(player.startButton, 'Start has the focus after a claim').toBeFocused()
  await page.goForward()
  await expect(player.startButton, 'claim mode does not return without a prize').toBeVisible()
  await expectNoShift('after a claim')
  await player.button('Logout').click()
  await expect(player.button('Login')).toBeVisible()
  await expect(player.startButton, 'Start has the focus after a logout').toBeFocused()
  await expectNoShift('after a logout')
  await crowd.leave()
  expect([...urls], 'no mode changes the URL').toEqual([new URL('/', page.url()).href])
  expect(await entries()).toBe(before + 1)
})

import type { Locator } from '@playwright/test'
import { CLAIM_DEBOUNCE_MS } from '../../contract/rules.ts'
import { PASSWORD } from '../support/page-player.ts'
import { makeAccount } from './accounts.ts'
import { expect, test } from './test.ts'

/** Sets the time of clicks on the main button to `clickAt`, in ms, because rounds use event times. */
const SET_CLICK_TIME = `
  globalThis.clickAt = 0
  const { get } = Object.getOwnPropertyDescriptor(Event.prototype, 'timeStamp')
  Object.defineProperty(Event.prototype, 'timeStamp', {
    get() { return this.type === 'click' && this.target.matches('.play') ? clickAt : get.call(this) },
  })`

/** The pause before each Start. */
const PAUSE_MS = 1_000

test('assistive technology can play the whole game by roles and names alone', async ({ visit, server }) => {
  const name = await makeAccount(server)
  const player = await visit()
  const { page } = player
  await page.addInitScript(SET_CLICK_TIME)
  await page.goto('/')
  let now = PAUSE_MS
  /** Clicks without a pointer position, like assistive technology. */
  const activate = async (element: Locator) => {
    await expect(element).toBeEnabled()
    await page.evaluate(`clickAt = ${now}`)
    await element.dispatchEvent('click')
  }
  const play = async (differenceMs: number) => {
    now += PAUSE_MS
    await activate(player.startButton)
    await expect(player.stopButton).toBeEnabled()
    now += (await player.target()) + differenceMs
    await activate(player.stopButton)
  }
  const expectAnnounced = (text: string) =>
    expect(page.getByRole('status').filter({ hasText: text })).toBeVisible()

  await expect(page.getByRole('heading', { level: 1, name: 'TAPS' })).toBeVisible()
  for (const region of ['Prize pool', 'Target Time', 'Track', 'Result', 'Your timing']) {
    await expect(player.region(region)).toBeVisible()
  }
  await player.username.fill('Listening Otter')
  await play(612)
  await expectAnnounced('612 ms late')
  await expect(player.attempts.first()).toContainText('Listening Otter')
  await play(38)
  await expect(player.wonHeading).toHaveText('2 TAPS')
  await page.waitForTimeout(CLAIM_DEBOUNCE_MS)
  await activate(player.button('Keep playing'))
  await activate(player.chip)
  await expect(player.wonHeading).toHaveText('2 TAPS')
  await page.waitForTimeout(CLAIM_DEBOUNCE_MS)
  await activate(page.getByRole('tab', { name: 'Sign in' }))
  await player.username.fill(name)
  await player.password.fill(PASSWORD)
  await activate(player.button('Sign in & claim 2 TAPS'))
  await expectAnnounced('2 TAPS claimed. Your balance is 2 TAPS.')
})

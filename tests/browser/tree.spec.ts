import type { Locator } from '@playwright/test'
import { CLAIM_DEBOUNCE_MS } from '../../contract/rules.ts'
import { PASSWORD } from '../support/page-player.ts'
import { makeAccount } from './accounts.ts'
import { expect, test } from './test.ts'

/** A player whom assistive technology tells roles and names, and for whom it activates elements: they have no position. */

/** Records the time of each click, in ms: the event's time counts, as for everybody. */
const WATCH = `
  globalThis.clickAt = 0
  const { get } = Object.getOwnPropertyDescriptor(Event.prototype, 'timeStamp')
  Object.defineProperty(Event.prototype, 'timeStamp', {
    get() { return this.type === 'click' && this.target.matches('.play') ? clickAt : get.call(this) },
  })`

/** Between two rounds, in ms. */
const PAUSE_MS = 1_000

test('the whole game is played by roles and names alone', async ({ visit, server }) => {
  const name = await makeAccount(server)
  const player = await visit()
  const { page } = player
  await page.addInitScript(WATCH)
  await page.goto('/')
  let now = PAUSE_MS
  /** A click without a pointer. */
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
  const hears = (words: string) => expect(page.getByRole('status').filter({ hasText: words })).toBeVisible()

  await expect(page.getByRole('heading', { level: 1, name: 'TAPS' })).toBeVisible()
  for (const region of ['Prize pool', 'Target Time', 'Track', 'Result', 'Your timing']) {
    await expect(player.region(region)).toBeVisible()
  }
  await player.username.fill('Listening Otter')
  await play(612)
  await hears('612 ms late')
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
  await expect(page.getByRole('alert')).toBeEmpty()
  await activate(player.button('Sign in & claim 2 TAPS'))
  await expect(page.getByRole('alert')).toHaveText('Please enter both username and password')
  await player.password.fill(PASSWORD)
  await activate(player.button('Sign in & claim 2 TAPS'))
  await hears('2 TAPS claimed. Your balance is 2 TAPS.')
  await play(-700)
  await hears('700 ms early')
})

import type { Page } from '@playwright/test'
import type { Player } from '../support/page-player.ts'
import { makeAccount } from './accounts.ts'
import { expect, test } from './test.ts'

/** What browsers refuse, lack, or let extensions take away. */

const STORAGES: readonly [string, string][] = [
  ['is null', `Object.defineProperty(window, NAME, { get: () => null })`],
  [
    'throws',
    `Object.defineProperty(window, NAME, { get() { throw new DOMException('', 'SecurityError') } })`,
  ],
]

for (const [what, script] of STORAGES) {
  test(`plays, wins and opens board mode when storage ${what} and no effect is allowed`, async ({
    visit,
  }) => {
    const player = await visit({ hasTouch: true })
    const { page } = player
    for (const name of ['localStorage', 'sessionStorage']) {
      await page.addInitScript(script.replace('NAME', `'${name}'`))
    }
    await page.addInitScript(`
      const refuse = () => { throw new DOMException('', 'NotAllowedError') }
      Navigator.prototype.vibrate = refuse
      Element.prototype.animate = refuse
      HTMLCanvasElement.prototype.getContext = refuse
      globalThis.AudioContext = refuse
      History.prototype.pushState = History.prototype.replaceState = refuse
    `)
    await page.goto('/#beat=0.130&by=mira')
    await expect(page.getByText('mira was 0.130 s off the target. Closer?')).toBeVisible()
    await expect(player.region('Recent attempts').getByText('live', { exact: true })).toBeVisible()
    await player.button('Login').click()
    await player.button('Cancel').click()
    await player.button('Sound').click()
    await player.play(-300)
    await player.win()
    await player.keepPlaying()
    await page.goto('about:blank')
    await page.goto('/#board')
    await expect(player.region('Leaderboard')).toBeVisible()
    await page.keyboard.press('Escape')
    await player.keepPlaying()
  })
}

test('says "saved here" only when the browser has kept the attempt', async ({ visit, complaints }) => {
  complaints.expect(/Failed to load/)
  const player = await visit()
  await player.page.addInitScript(`
    Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError') }`)
  await player.open()
  await player.page.route('/api/attempts', route => route.fulfill({ status: 502, body: '' }), { times: 3 })
  await player.start()
  await player.stop(-300)
  await expect(player.page.getByText('Keep this page open until the server answers.')).toBeVisible()
  await expect(player.page.getByText('saved here')).toHaveCount(0)
  await expect(player.startButton).toBeEnabled()
})

test('opens login mode next to a style sheet that scripts may not read', async ({ visit }) => {
  const player = await visit()
  await player.page.addInitScript(`
    Object.defineProperty(CSSStyleSheet.prototype, 'cssRules', {
      get() { throw new DOMException('', 'SecurityError') },
    })`)
  await player.open()
  await player.button('Login').click()
  await expect(player.password).toBeVisible()
})

/** Removes an element, as a filter does, then changes the view. */
async function removeAndLeave({ page }: Player, selector: string): Promise<void> {
  await page.evaluate(`document.querySelector('${selector}').remove()`)
  if (selector === '.page' || selector === '#root') return
  await page.evaluate(
    `Array.from(document.querySelectorAll('button')).find(it => it.textContent === 'Login').click()`,
  )
}

for (const selector of ['.timing', '.stage', '.page', '#root']) {
  test(`goes on when a filter removes ${selector} during a round`, async ({ visit, complaints }) => {
    complaints.expect(/NotFoundError|removeChild|insertBefore/)
    const player = await visit()
    const { page } = player
    await player.open()
    const target = await player.start()
    await removeAndLeave(player, selector)
    const isShown = selector === '.page' || selector === '#root'
    if (isShown) {
      await expect(player.stopButton).toBeVisible()
      expect(await player.target()).toBe(target)
      await player.stop(-412)
      await expect(player.region('Result')).toContainText('0.412s')
    } else {
      await expect(player.password).toBeVisible()
      await player.button('Cancel').click()
      await expect(page.locator('.stage')).toBeVisible()
    }
    await player.play(-300)
    await expect(player.attempts.first()).toContainText('−0.300 s')
  })
}

test('claims a prize after a filter has removed the page in claim mode', async ({
  visit,
  server,
  complaints,
}) => {
  complaints.expect(/NotFoundError|removeChild/)
  const player = await visit()
  await player.open()
  await makeAccount(server, 'Filtered')
  await player.logIn('Filtered')
  await player.expectLoggedIn('Filtered')
  await player.play(-300)
  const taps = await player.win()
  await player.page.evaluate(`document.querySelector('.page').remove()`)
  await player.pressInClaim(`Claim ${taps} TAPS`)
  await player.expectBalance(taps)
})

/** Removes the page's content whenever it comes back. */
async function keepRemoving(page: Page): Promise<void> {
  await page.evaluate(`(() => {
    const remove = () => document.querySelector('#root > .page, #root > .wall')?.remove()
    new MutationObserver(remove).observe(document.body, { childList: true, subtree: true })
    remove()
  })()`)
}

test('starts nothing again when an extension keeps even the last message from rendering', async ({
  player,
  complaints,
}) => {
  complaints.expect(/kept from rendering/)
  const { page } = player
  // React asks for the tag of every element that it creates.
  await page.evaluate(`{
    globalThis.roots = 0
    new MutationObserver(() => { roots += 1 }).observe(document.body, { childList: true })
    const { createElement } = Document.prototype
    Document.prototype.createElement = function (tag, ...more) {
      if (tag === 'main') throw new Error('kept from rendering')
      return createElement.call(this, tag, ...more)
    }
    document.querySelector('#root > .page').remove()
  }`)
  await expect.poll(() => page.evaluate('roots')).toBe(3)
  await page.evaluate('new Promise(frame => requestAnimationFrame(() => requestAnimationFrame(frame)))')
  expect(await page.evaluate('roots'), 'after giving up').toBe(3)
})

test('gives up with a button after three failures within two seconds; a wall reloads by itself', async ({
  visit,
}) => {
  const player = await visit()
  const { page } = player
  await player.open()
  await keepRemoving(page)
  await expect(page.getByRole('heading', { name: 'Something went wrong.', level: 1 })).toBeVisible()
  await player.button('Reload').click()
  await expect(player.startButton).toBeEnabled()

  const wall = await visit()
  await wall.page.clock.install()
  await wall.page.goto('/#board')
  await expect(wall.region('Leaderboard')).toBeVisible()
  await keepRemoving(wall.page)
  await expect(wall.page.getByText('Something went wrong.')).toBeVisible()
  await expect(wall.page.getByRole('button')).toHaveCount(0)
  await wall.page.clock.runFor(30_000)
  await expect(wall.region('Leaderboard')).toBeVisible()
})

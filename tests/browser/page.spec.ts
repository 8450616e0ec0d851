import { AxeBuilder } from '@axe-core/playwright'
import { LIVE_WRITES_PER_SECOND } from '../../contract/rules.ts'
import { Crowd } from '../support/busy-stream.ts'
import type { Player } from '../support/page-player.ts'
import { makeAccount } from './accounts.ts'
import { expect, LONG, longUnless, test } from './test.ts'

/** Each way the screen can look, and how to get there. */
const STATES: readonly { state: string; reach: (player: Player) => Promise<unknown> }[] = [
  { state: 'idle', reach: async () => undefined },
  { state: 'running', reach: player => player.start() },
  { state: 'result', reach: player => player.play(240) },
  { state: 'claim', reach: player => player.win() },
  { state: 'held', reach: player => player.win().then(() => player.keepPlaying()) },
  {
    state: 'login',
    async reach(player) {
      await player.button('Login').click()
      await player.button('Login').click()
      await expect(player.page.getByRole('alert')).toHaveText('Please enter both username and password')
    },
  },
]

const WIDTHS = [320, 360, 768, 1_280]

/** The light colours are other colours on the same elements: one width shows all there is to see. */
const LOOKS = [
  { colorScheme: 'dark', audited: 360, short: ['held', 'login'] },
  { colorScheme: 'dark', audited: 1_280, short: [] },
  // The two with the most colours.
  { colorScheme: 'light', audited: 1_280, short: ['result', 'claim'] },
] as const

async function violations({ page }: Player): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  )
}

/** How far the page is wider than its window, in px. */
async function overflow({ page }: Player): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
}

for (const { state, reach } of STATES) {
  for (const { colorScheme, audited, short } of LOOKS) {
    const title = `${state}, ${colorScheme}, at ${audited} px: no accessibility violation, no sideways scroll at any width`
    test(title, longUnless(short.some(name => name === state)), async ({ visit }) => {
      const player = await visit({ colorScheme })
      await player.open()
      await reach(player)
      for (const width of WIDTHS) {
        await player.page.setViewportSize({ width, height: 900 })
        await player.settle()
        expect(await overflow(player), `sideways scroll at ${width} px`).toBeLessThanOrEqual(0)
        if (width === audited) expect(await violations(player)).toEqual([])
      }
    })
  }
}

test('an account’s page and claim view: no accessibility violation', LONG, async ({ player, server }) => {
  await player.logIn(await makeAccount(server))
  await expect(player.button('Logout')).toBeVisible()
  await player.settle()
  expect(await violations(player)).toEqual([])
  await player.win()
  await player.settle()
  expect(await violations(player)).toEqual([])
})

test('the page is isolated from other origins, so that its clock is as fine as it gets', async ({
  player,
}) => {
  expect(await player.page.evaluate('crossOriginIsolated')).toBe(true)
})

test('the page sends a policy that allows nothing from elsewhere, nothing inline', async ({ player }) => {
  const answer = await player.page.reload()
  const policy = (await answer?.headerValue('content-security-policy')) ?? ''
  expect(policy).toContain("default-src 'self'")
  expect(policy).not.toContain('unsafe')
})

test('with less motion asked for, nothing slides and the dot takes calm steps', async ({ visit }) => {
  const player = await visit({ reducedMotion: 'reduce' })
  await player.open()
  await expect(player.startButton).toHaveCSS('transition-duration', /^0s(, 0s)*$/)
  await player.start()
  const easing = await player.page.evaluate<string[]>(
    'document.getAnimations().map(a => getComputedStyle(a.effect.target).animationTimingFunction)',
  )
  expect(easing).toEqual(['steps(5, jump-none)'])
})

test('the page has the colours of the theme', async ({ player }) => {
  const { page, startButton } = player
  const status = player.region('Recent attempts').getByText('live', { exact: true })
  await expect(page.locator('html')).toHaveCSS('background-color', await player.themeColour('--background'))
  await expect(page.locator('body')).toHaveCSS('color', await player.themeColour('--text'))
  await expect(startButton).toHaveCSS('background-color', await player.themeColour('--primary'))
  await expect(status).toHaveCSS('color', await player.themeColour('--secondary'))
  const pool = player.region('Prize pool').getByText(/^[\d,]+$/)
  await expect(pool).toHaveCSS('color', await player.themeColour('--accent'))
})

test('transitions take 0.3 s, ease-in-out', async ({ player }) => {
  await expect(player.startButton).toHaveCSS('transition-duration', /^(0\.3s)(, 0\.3s)*$/)
  await expect(player.startButton).toHaveCSS('transition-timing-function', /^(ease-in-out)(, ease-in-out)*$/)
})

test('nothing moves in its place when a round is played', async ({ player }) => {
  const paths = () =>
    Promise.all(
      ['Prize pool', 'Target Time', 'Track', 'Result', 'Leaderboard'].map(name =>
        player.region(name).boundingBox(),
      ),
    )
  const before = await paths()
  await player.start()
  expect(await paths()).toEqual(before)
  await player.stop(240)
  await expect(player.startButton).toBeEnabled()
  expect(await paths()).toEqual(before)
})

/** Notes down every shift of the layout, those that follow a press included. */
const WATCH_SHIFTS = `
  globalThis.shifts = []
  new PerformanceObserver(list => {
    for (const { value, sources } of list.getEntries()) {
      const moved = sources.map(({ node, previousRect: from, currentRect: to }) =>
        [node?.className, node?.textContent, 'from', from.x, from.y, 'to', to.x, to.y].join(' '))
      shifts.push(value.toFixed(4) + ': ' + moved.join(', '))
    }
  }).observe({ type: 'layout-shift', buffered: true })
`

for (const [width, height] of [
  [360, 860],
  [700, 860],
  [844, 390],
  [1_280, 860],
] as const) {
  const title = `nothing shifts at ${width}×${height}, from the first paint to the claim and back, while many play`
  test(title, longUnless(width === 360), async ({ visit, server }) => {
    const player = await visit({ viewport: { width, height } })
    const { page } = player
    const expectNoShift = async (when: string) => {
      await player.settle()
      expect(await page.evaluate('shifts'), when).toEqual([])
    }
    const crowd = await Crowd.gather(server.url, LIVE_WRITES_PER_SECOND)
    await page.addInitScript(WATCH_SHIFTS)
    await player.open()
    await expect(player.region('Recent attempts').getByText('live', { exact: true })).toBeVisible()
    for (const difference of [-240, 1_240, 130]) await player.play(difference)
    await expectNoShift('while playing')
    await player.win(3)
    await player.keepPlaying()
    await expect(player.chip).toBeVisible()
    await player.play(700)
    await expectNoShift('after a win')
    await player.button('Login').click()
    await player.username.pressSequentially('W'.repeat(33))
    await expect(page.getByText(/32 characters/)).toBeVisible()
    await player.button('Cancel').click()
    await player.logIn(await makeAccount(server))
    await expect(player.button('Logout')).toBeVisible()
    await expectNoShift('after a login')
    await page.getByRole('button', { name: /^Claim [\d,]+ TAPS$/ }).click()
    await expect(player.startButton).toBeEnabled()
    const won = await player.win(2)
    await player.button(`Claim ${won} TAPS`).click()
    await expect(page.getByText(/TAPS claimed/)).toBeVisible()
    await player.play(700)
    await expectNoShift('after a claim')
    await player.button('Logout').click()
    await expect(player.button('Login')).toBeVisible()
    await expectNoShift('after a logout')
    await crowd.leave()
  })
}

import { AxeBuilder } from '@axe-core/playwright'
import type { Locator } from '@playwright/test'
import type { Recorded } from '../../contract/api.ts'
import { WIN_SEEN_MS } from '../../contract/rules.ts'
import { Client } from '../support/client.ts'
import { PASSWORD, type Player } from '../support/page-player.ts'
import { LONG } from '../support/size.ts'
import { newName } from './accounts.ts'
import { HIDDEN, LOOK, type Look, moved, type Places, RUNNING, type RunningLook } from './measures.ts'
import { expect, test } from './test.ts'

/** A name of the widest letters, a right-to-left name, and a name of emoji made of several code points. */
const NAMES = ['W'.repeat(32), 'אבגדהוזחטיכלמנסעפצקרשתאבגדהוזחטי', '👩‍👩‍👧‍👦🏳️‍🌈👍🏽🇪🇺'.repeat(3)] as const

/** The screens on which the whole page fits the window at the default font size. */
const ONE_WINDOW = ['1280x800', '1366x768', '1440x900', '1920x1080', '2560x1440']

/** Phones in both orientations, tablets, a page at 200 % zoom, laptops and large screens. */
const SCREENS = [
  ...['320x568', '360x640', '360x740', '375x667', '390x664', '390x844'],
  ...['568x320', '640x400', '667x375', '740x360', '844x390', '853x533'],
  ...['700x860', '768x1024', '1024x600', '1024x768', '1280x720', '1366x650'],
  ...ONE_WINDOW,
]

/** The short run's screens. */
const SHORT_SCREENS = [
  ...['320x568', '568x320', '360x640', '390x664', '390x844', '667x375', '844x390', '700x860', '853x533'],
  ...['1024x600', '1024x768', '1280x800', '1366x768', '1920x1080'],
]

const SCHEMES = ['dark', 'light'] as const

interface Cell {
  readonly screen: string
  readonly font: number
  readonly colorScheme: (typeof SCHEMES)[number]
}

/** The least growth of text for each size that a reader sets in the browser instead of 16 px. */
const LEAST_GROWTH: Readonly<Record<number, number>> = { 24: 1.4, 32: 1.8 }

/** The screens on which all text grows. */
const GROWTH_SCREENS = ['1280x800', '390x844']

/** The combinations to check. In the short run, large fonts have only some screens. */
const CELLS: readonly Cell[] = LONG
  ? SCHEMES.flatMap(colorScheme =>
      [16, 24, 32].flatMap(font => SCREENS.map(screen => ({ screen, font, colorScheme }))),
    )
  : [
      ...SHORT_SCREENS.map(screen => ({ screen, font: 16, colorScheme: 'dark' as const })),
      ...GROWTH_SCREENS.map(screen => ({ screen, font: 24, colorScheme: 'dark' as const })),
      ...[...GROWTH_SCREENS, '320x568', '768x1024'].map(screen => ({
        screen,
        font: 32,
        colorScheme: 'dark' as const,
      })),
    ]

/** The window in which the tour goes on. */
const AT_REST: Cell = { screen: '1280x720', font: 16, colorScheme: 'dark' }

/** The modes whose accessibility the short run checks, in the light scheme, where contrast is lowest. */
const ACCESSIBLE = ['idle', 'running', 'near miss', 'win', 'login', 'claim', "an account's claim", 'claimed']

/** Phones in both orientations, with and without a browser's bars. */
const PHONES = ['320x568', '360x640', '375x667', '390x664', '390x844', '568x320', '667x375', '844x390']

/** Windows in which the whole game does not fit. */
const LOWEST_SCREENS = [
  '280x600',
  '320x256',
  '320x300',
  '360x330',
  '427x240',
  '480x270',
  '568x232',
  '667x375',
]

/** Shows six digits for all TAPS but 0, and keeps a win in view while `holdsTimers` is set. */
const RICH = `{
  const { parse } = JSON
  JSON.parse = (text, ...rest) =>
    parse(String(text).replaceAll(/"(taps|won_taps|taps_balance)":[1-9]\\d*/g, '"$1":471100'), ...rest)
  const start = setTimeout
  globalThis.setTimeout = (run, ms, ...rest) => start(run, globalThis.holdsTimers && ms > 1_000 ? 600_000 : ms, ...rest)
}`

/** Visits every mode, and passes each mode's name and main button to `look`. */
async function tour(
  player: Player,
  account: string,
  look: (mode: string, main: Locator) => Promise<void>,
): Promise<void> {
  const { page } = player
  await look('idle', player.startButton)
  await player.username.fill(NAMES[0])
  await player.start()
  await look('running', player.stopButton)
  // Shows the longest feedback.
  await player.stop(1_500)
  await expect(player.startButton).toBeEnabled()
  await look('result', player.startButton)
  // Shows the longest lines below the feedback.
  await player.play(120)
  await expect(player.region('Result')).toContainText('Your best yet')
  await player.play(130)
  await expect(player.region('Result')).toContainText('short of 471,101 TAPS')
  await look('near miss', player.startButton)
  await player.changeAnswers<Recorded>('**/api/attempts', unverified)
  await player.play(80)
  await look('unverified result', player.startButton)
  await page.unroute('**/api/attempts')
  await player.button('Login').click()
  await expect(player.password).toBeVisible()
  await look('login', player.button('Login'))
  await player.button('Create account').click()
  await look('sign-up', player.button('Create account'))
  await player.button('Cancel').click()
  for (const name of LONG ? NAMES.slice(1) : []) {
    await player.username.fill(name)
    await player.play(700)
    await expect(player.attempts.first()).toContainText(name.slice(0, 8))
    await look(`result of ${name.slice(0, 4)}`, player.startButton)
  }
  await player.start()
  await player.changeAnswers<Recorded>('**/api/attempts', async body => {
    // Not earlier, because on a busy machine the page waits before it sends the attempt.
    await page.evaluate('globalThis.holdsTimers = true')
    return body
  })
  await player.stop(38)
  await expect(player.wonButton).toBeVisible()
  await look('win', player.wonButton)
  await page.evaluate('globalThis.holdsTimers = false')
  await player.press(WIN_SEEN_MS)
  await look('claim', player.button('Create account & claim 471,100 TAPS'))
  await player.keepPlaying()
  await look('held', player.startButton)
  await player.logIn(account)
  const claimButton = player.button('Claim 471,100 TAPS')
  await look("an account's claim", claimButton)
  await player.keepPlaying()
  await look('held for an account', player.startButton)
  await player.chip.click()
  await player.pressInClaim('Claim 471,100 TAPS')
  await expect(player.startButton).toBeVisible()
  await look('claimed', player.startButton)
}

/** The answer to a Stop that the server's clock contradicts. */
function unverified(body: Recorded): Recorded {
  const attempt = { ...body.attempt, verified: false, won_taps: null }
  return { ...body, attempt, verified: false, reason: 'clock', prize: null }
}

/** Finds accessibility violations. */
async function violations(player: Player, mode: string, colorScheme: Cell['colorScheme']): Promise<string[]> {
  const { page } = player
  // With `contrast: 'more'`, the page does not fade during a run.
  await page.emulateMedia({ colorScheme, contrast: 'more' })
  await player.settle()
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(node => `${mode}, ${colorScheme}, ${id}: ${node.html} ${node.failureSummary}`),
  )
}

/** The modes whose main button takes the place of Start, where the window is large enough. */
const IN_PLACE = ['login', 'claim', "an account's claim"]

/** Whether a mode keeps the places of the game. */
function isInPlace(mode: string, { screen, font }: Cell, { isGame }: Look): boolean {
  const [width = 0, height = 0] = screen.split('x').map(Number)
  return font === 16 && (isGame || (IN_PLACE.includes(mode) && width >= 640 && height >= 600))
}

/** Finds what does not fit in a cell. With larger text, a player may have to scroll to the result. */
function misfits({ screen, font }: Cell, look: Look): string[] {
  const { found, unseen, isGame, button, fields, apart, page } = look
  const height = Number(screen.split('x')[1])
  const isOneWindow = font === 16
  const result = isOneWindow ? look.result : look.resultAfterScroll
  if (isOneWindow) found.push(...unseen)
  if (isGame || isOneWindow) {
    if (button > height) found.push(`the button ends at ${button}`)
    if (fields > height) found.push(`the fields end at ${fields}`)
  }
  if (isGame && result > height) found.push(`the result ends at ${result}`)
  if (isGame && isOneWindow && ONE_WINDOW.includes(screen)) {
    if (page !== height) found.push(`the page ends at ${page}`)
    if (Math.abs(apart) > 0.5) found.push(`the boards end ${apart} px below the card`)
  }
  return found
}

/** The modes in which the label fills the width of a phone's button already at 16 px. */
const FULL_BUTTONS = ['sign-up', 'win', "an account's claim"]

/** Returns the kinds of text that grow less than the browser's text size demands. */
function stunted(mode: string, { screen, font }: Cell, { sizes }: Look, normal: Look['sizes']): string[] {
  const least = LEAST_GROWTH[font]
  if (least === undefined || !GROWTH_SCREENS.includes(screen)) return []
  return Object.entries(normal)
    .map(([kind, size]) => ({ kind, growth: (sizes[kind] ?? Infinity) / size }))
    .filter(
      ({ kind, growth }) => growth < least && !(kind === '.button-label' && FULL_BUTTONS.includes(mode)),
    )
    .map(({ kind, growth }) => `${kind} grows only ${growth.toFixed(2)} times`)
}

function resize({ page }: Player, screen: string): Promise<void> {
  const [width = 0, height = 0] = screen.split('x').map(Number)
  return page.setViewportSize({ width, height })
}

test('every mode fits every screen and text size, shows its main button, is accessible, and keeps its parts in place', async ({
  visit,
  server,
}) => {
  test.setTimeout(600_000)
  const account = newName()
  const rival = new Client(server.url)
  await rival.createAccount(account, PASSWORD)
  await rival.play(0)
  await rival.post('/api/claim')
  await new Client(server.url).play(0, NAMES[0])
  // Reduces motion, because each combination would otherwise have to wait for animations.
  const player = await visit({ reducedMotion: 'reduce' })
  const { page } = player
  await page.addInitScript(RICH)
  await player.open()
  const cdp = await page.context().newCDPSession(page)
  const found: string[] = []
  const places = new Map<string, Places>()
  await tour(player, account, async (mode, main) => {
    await expect(main.and(page.locator('.primary'))).toBeVisible()
    if (LONG) found.push(...(await violations(player, mode, 'dark')))
    if (LONG || ACCESSIBLE.includes(mode)) found.push(...(await violations(player, mode, 'light')))
    let shown = { font: 16, colorScheme: '' }
    const normal = new Map<string, Look['sizes']>()
    for (const cell of [...CELLS, AT_REST]) {
      const { screen, font, colorScheme } = cell
      if (shown.font !== font) await cdp.send('Page.setFontSizes', { fontSizes: { standard: font } })
      if (shown.colorScheme !== colorScheme) await page.emulateMedia({ colorScheme })
      shown = cell
      await resize(player, screen)
      const look = await player.settle<Look>(LOOK)
      const key = `${screen}, font ${font} px, ${colorScheme}`
      const before = places.get(key) ?? {}
      if (font === 16) normal.set(screen, look.sizes)
      if (font === 32 && screen === '390x844' && ACCESSIBLE.includes(mode)) {
        found.push(...(await violations(player, `${mode} with text at 200 %`, 'light')))
        await page.emulateMedia({ colorScheme })
      }
      const wrong = [...misfits(cell, look), ...stunted(mode, cell, look, normal.get(screen) ?? {})]
      if (isInPlace(mode, cell, look)) {
        wrong.push(...moved(before, look.places))
        places.set(key, { ...before, ...look.places })
      }
      found.push(...wrong.map(misfit => `${mode}, ${key}: ${misfit}`))
    }
  })
  await player.start()
  for (const screen of LOWEST_SCREENS) {
    await resize(player, screen)
    found.push(
      ...(await player.settle<string[]>(HIDDEN)).map(part => `running, ${screen}: ${part} is hidden`),
    )
  }
  for (const screen of SCREENS) {
    await resize(player, screen)
    let normal = 0
    for (const font of [16, 24, 32]) {
      await cdp.send('Page.setFontSizes', { fontSizes: { standard: font } })
      const { hidden, size } = await player.settle<RunningLook>(RUNNING)
      if (font === 16) normal = size
      if (size < normal) hidden.push(`the target shrinks from ${normal} to ${size} px`)
      found.push(...hidden.map(it => `running, ${screen}, font ${font} px: ${it}`))
    }
    await cdp.send('Page.setFontSizes', { fontSizes: { standard: 16 } })
  }
  await resize(player, AT_REST.screen)
  await player.stop(1_500)
  await expect(player.startButton).toBeEnabled()
  for (const screen of LOWEST_SCREENS) {
    await resize(player, screen)
    const { found: misfits, resultAfterScroll } = await player.settle<Look>(LOOK)
    // In the narrowest window, the header has three lines.
    const wrong = misfits.filter(misfit => misfit !== 'the header wraps')
    if (resultAfterScroll > Number(screen.split('x')[1])) wrong.push('the feedback cannot be reached')
    found.push(...wrong.map(misfit => `result, ${screen}: ${misfit}`))
  }
  await resize(player, AT_REST.screen)
  await player.button('Account').click()
  await player.button('Delete account').click()
  for (const font of [32, 16]) {
    await cdp.send('Page.setFontSizes', { fontSizes: { standard: font } })
    found.push(...(await violations(player, `account menu at ${font} px`, 'light')))
  }
  expect(found).toEqual([])
})

test('the error of a form covers neither its button nor the way out', async ({ player }) => {
  const { page } = player
  const expectClear = async (form: string) => {
    await expect(page.getByText('Please enter both username and password')).toBeVisible()
    for (const screen of [...PHONES, '1024x768', ...ONE_WINDOW]) {
      await resize(player, screen)
      const covered = await player.settle<string[]>(`(() => {
        const text = document.createRange()
        text.selectNodeContents(document.querySelector('.game .error'))
        const error = text.getBoundingClientRect()
        return ['.game .primary', '.game .strip .link > span', '.game .strip .key'].filter(part => {
          const { left, right, top, bottom } = document.querySelector(part)?.getBoundingClientRect() ?? {}
          return left < error.right && right > error.left && top < error.bottom - 1 && bottom > error.top + 1
        })
      })()`)
      expect(covered, `${form} at ${screen}`).toEqual([])
    }
  }
  await player.button('Login').click()
  await player.button('Login').click()
  await expectClear('login')
  await player.button('Cancel').click()
  await player.win()
  await player.pressInClaim(/^Create account & claim/)
  await expectClear('claim')
})

test('a result to copy covers no time, and a line below a win keeps clear of the border', async ({
  visit,
}) => {
  const player = await visit({ reducedMotion: 'reduce' })
  const { page } = player
  await page.addInitScript(`Object.defineProperties(navigator, {
    clipboard: { value: undefined },
    share: { value: undefined },
  })`)
  await page.addInitScript(RICH)
  await player.open()
  await player.play(1_500)
  await player.button('Share').click()
  const field = page.getByRole('textbox', { name: 'Result to copy' })
  for (const screen of [...PHONES, '853x533', '1280x800']) {
    await resize(player, screen)
    const covered = await player.settle<string[]>(`(() => {
      const field = document.querySelector('.share input').getBoundingClientRect()
      return ['.elapsed', '.target', '.box', '.feedback', '.play'].filter(part => {
        const { left, right, top, bottom } = document.querySelector(part).getBoundingClientRect()
        return left < field.right && right > field.left && top < field.bottom - 1 && bottom > field.top + 1
      })
    })()`)
    expect(covered, `covered by the field at ${screen}`).toEqual([])
  }
  await field.press('Escape')
  await player.start()
  await page.evaluate('globalThis.holdsTimers = true')
  // Shows the longest message.
  await player.stop(80)
  await expect(player.wonButton).toBeVisible()
  for (const screen of ['1024x768', '1024x600', ...ONE_WINDOW]) {
    await resize(player, screen)
    const clear = await player.settle<number>(`(() => {
      const [stage, line] = ['.stage', '.second'].map(it => document.querySelector(it).getBoundingClientRect())
      return stage.bottom - line.bottom
    })()`)
    expect(clear, `px between line and border at ${screen}`).toBeGreaterThanOrEqual(8)
  }
})

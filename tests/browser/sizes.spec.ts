import { AxeBuilder } from '@axe-core/playwright'
import type { Locator } from '@playwright/test'
import type { PrizePool, Recorded, Session } from '../../contract/api.ts'
import { WIN_SEEN_MS } from '../../contract/rules.ts'
import type { Player } from '../support/page-player.ts'
import { LONG } from '../support/size.ts'
import { makeAccount } from './accounts.ts'
import { expect, test } from './test.ts'

/** A name of the widest letters, a right-to-left name, and a name of emoji made of several code points. */
const NAMES = ['W'.repeat(32), 'אבגדהוזחטיכלמנסעפצקרשתאבגדהוזחטי', '👩‍👩‍👧‍👦🏳️‍🌈👍🏽🇪🇺'.repeat(3)]

/** Phones in both orientations, tablets, a page at 200 % zoom, laptops and large screens. */
const SCREENS = [
  ...[
    '320x568',
    '360x640',
    '360x740',
    '390x664',
    '390x844',
    '667x375',
    '740x360',
    '844x390',
    '768x1024',
    '640x400',
    '853x533',
  ],
  ...['1280x720', '1366x650', '1366x768', '1280x800', '1440x900', '1920x1080', '2560x1440'],
]

/** The screens on which the whole page fits the window at the default font size. */
const ONE_WINDOW = ['1280x800', '1366x768', '1440x900', '1920x1080', '2560x1440']

/** The short run's screens by font size. Large fonts have only the screens with the least room for text. */
const SHORT_SCREENS: Readonly<Record<number, readonly string[]>> = {
  16: [
    '320x568',
    '360x740',
    '390x664',
    '390x844',
    '667x375',
    '844x390',
    '853x533',
    '1280x720',
    ...ONE_WINDOW,
  ],
  24: ['390x844'],
  32: ['320x568', '768x1024'],
}

/**
 * The screens on which every mode's main button must be fully visible. Start and Stop must be visible on all
 * screens.
 */
const FIRST_SCREENS = [
  ...['320x568', '390x664', '390x844', '740x360', '844x390'],
  ...['1280x720', '1366x650', '1280x800', '1440x900', '1920x1080'],
]

const FONTS = [16, 24, 32]

const SCHEMES = ['dark', 'light'] as const

/** The combinations to check. The short run checks only the dark scheme. */
const TABLE = SCHEMES.flatMap(colorScheme =>
  FONTS.flatMap(font =>
    SCREENS.filter(screen => LONG || (colorScheme === 'dark' && SHORT_SCREENS[font]?.includes(screen))).map(
      screen => ({ screen, font, colorScheme }),
    ),
  ),
)

/**
 * Finds sideways scrolling, a wrapped header, a feedback above the boxes, text outside its box, overlapping
 * text, and controls below 44 px. Ignores text that may end in an ellipsis.
 */
const MISFITS = `(() => {
  const found = []
  const isClipped = element =>
    element !== null && (getComputedStyle(element).clipPath === 'inset(50%)' || isClipped(element.parentElement))
  const wider = document.documentElement.scrollWidth - innerWidth
  if (wider > 0) found.push('scrolls sideways by ' + wider + ' px')
  // The page clips its sides, so a part that is too wide scrolls nothing.
  for (const part of document.querySelectorAll('.page > *')) {
    if (part.getBoundingClientRect().right > innerWidth) found.push(part.className + ' is wider than the window')
  }
  const [title, action] = ['h1', '.pill--action'].map(it => document.querySelector(it).getBoundingClientRect())
  if (action.top > title.bottom) found.push('the header wraps')
  const [boxes, feedback] = ['.boxes', '.feedback'].map(it => document.querySelector(it))
  if (feedback !== null && !isClipped(feedback) &&
    feedback.getBoundingClientRect().top < boxes.getBoundingClientRect().bottom) found.push('feedback above the boxes')
  const words = []
  const texts = document.createTreeWalker(document.querySelector('.page'), NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const { currentNode: text } = texts
    const parent = text.parentElement
    const { visibility, textOverflow } = getComputedStyle(parent)
    if (!text.data.trim() || visibility === 'hidden' || parent.closest('svg') || isClipped(parent)) continue
    const range = document.createRange()
    range.selectNodeContents(text)
    const box = parent.closest('.box, .pill, .figure, .track, button, .tabs, .row, .say, .empty, .card')?.getBoundingClientRect()
    for (const rect of range.getClientRects()) {
      if (rect.width === 0 || textOverflow === 'ellipsis') continue
      // A tag that does not fit beside a name wraps out of view.
      const cut = parent.closest('.named')?.getBoundingClientRect().bottom ?? Infinity
      if (rect.top + rect.height / 2 >= cut) continue
      words.push({ rect, text: text.data })
      // Allows a line of text to stick out of a tight box slightly.
      const slack = rect.height / 4
      if (!box || (rect.left >= box.left - 1 && rect.right <= box.right + 1 &&
        rect.top >= box.top - slack && rect.bottom <= box.bottom + slack)) continue
      found.push(text.data + ' leaves its box')
    }
  }
  words.forEach((one, index) => {
    const over = words.slice(index + 1).find(({ rect, text }) =>
      text !== one.text &&
      Math.min(rect.right, one.rect.right) - Math.max(rect.left, one.rect.left) > 2 &&
      Math.min(rect.bottom, one.rect.bottom) - Math.max(rect.top, one.rect.top) > rect.height * 0.4)
    if (over) found.push(one.text + ' over ' + over.text)
  })
  for (const control of document.querySelectorAll('button, input, a, [role=tab]')) {
    const { width, height } = (control.closest('.who') ?? control).getBoundingClientRect()
    if (width > 0 && (width < 43.9 || height < 43.9)) found.push(control.outerHTML + ' is below 44 px')
  }
  return found
})()`

/** The misfits, and the lower edges of the main button, the feedback, the card, the boards and the page, in px. */
const LOOK = `(() => {
  const endOf = selector => document.querySelector(selector)?.getBoundingClientRect().bottom ?? 0
  return {
    found: ${MISFITS},
    isGame: document.querySelector('.play') !== null,
    button: endOf('.primary'),
    result: endOf('.feedback'),
    apart: endOf('.boards') - endOf('.game'),
    page: document.documentElement.scrollHeight,
  }
})()`

interface Look {
  readonly found: string[]
  readonly isGame: boolean
  readonly button: number
  readonly result: number
  readonly apart: number
  readonly page: number
}

/**
 * Finds accessibility violations. The short run checks only the light scheme, where contrast is lowest.
 */
async function violations(player: Player, mode: string): Promise<string[]> {
  const { page } = player
  const found: string[] = []
  for (const colorScheme of LONG ? SCHEMES : (['light'] as const)) {
    // With `contrast: 'more'`, the page does not fade during a run.
    await page.emulateMedia({ colorScheme, contrast: 'more' })
    await player.settle()
    const { violations } = await new AxeBuilder({ page }).analyze()
    found.push(
      ...violations.flatMap(({ id, nodes }) =>
        nodes.map(node => `${mode}, ${colorScheme}, ${id}: ${node.html} ${node.failureSummary}`),
      ),
    )
  }
  return found
}

/** Visits every mode, and passes each mode's name and main button to `look`. */
async function tour(
  player: Player,
  account: string,
  look: (mode: string, main: Locator) => Promise<void>,
): Promise<void> {
  await look('idle', player.startButton)
  await player.start()
  await look('running', player.stopButton)
  // Shows the longest feedback, with the rule below it.
  await player.stop(1_500)
  await expect(player.startButton).toBeEnabled()
  await look('result', player.startButton)
  await player.changeAnswers<Recorded>('**/api/attempts', body => ({ ...body, closer_than: 100 }))
  await player.play(350)
  await expect(player.region('Result')).toContainText('Closer than 100 %')
  await look('near miss', player.startButton)
  await player.page.unroute('**/api/attempts')
  await player.play(140)
  await expect(player.region('Result')).toContainText('Your best yet')
  await look('best near miss', player.startButton)
  await player.changeAnswers<Recorded>('**/api/attempts', unverified)
  await player.play(80)
  await look('unverified result', player.startButton)
  await player.page.unroute('**/api/attempts')
  await player.button('Login').click()
  await expect(player.password).toBeVisible()
  await look('login', player.button('Login'))
  await player.button('Create account').click()
  await look('sign-up', player.button('Create account'))
  await player.button('Cancel').click()
  for (const name of LONG ? NAMES : NAMES.slice(0, 1)) {
    await player.username.fill(name)
    await player.play(700)
    await expect(player.attempts.first()).toContainText(name.slice(0, 8))
    await look(`result of ${name.slice(0, 4)}`, player.startButton)
  }
  const won = await player.win()
  await look('claim', player.button(`Create account & claim ${won} TAPS`))
  await player.keepPlaying()
  await look('held', player.startButton)
  await player.logIn(account)
  await expect(player.wonHeading).toBeVisible()
  await look("an account's claim", player.page.getByRole('button', { name: /^Claim [\d,]+ TAPS$/ }))
  await player.changeAnswers<Session>('**/api/session', enriched)
  await player.page.reload()
  await player.keepPlaying()
  await look('an account with a large balance', player.startButton)
}

/** The answer to a Stop that the server's clock contradicts. */
function unverified(body: Recorded): Recorded {
  const attempt = { ...body.attempt, verified: false, won_taps: null }
  return { ...body, attempt, verified: false, reason: 'clock', prize: null }
}

function enriched(body: Session): Session {
  return { ...body, user: body.user && { ...body.user, taps_balance: 9_999 } }
}

test('every mode fits every screen and font size, shows its main button and is accessible', async ({
  visit,
  server,
}) => {
  test.setTimeout(600_000)
  // Reduces motion, because each combination would otherwise have to wait for animations.
  const player = await visit({ reducedMotion: 'reduce' })
  const { page } = player
  await player.open()
  const cdp = await page.context().newCDPSession(page)
  const misfits: string[] = []
  let font = 0
  const show = async (cell: (typeof TABLE)[number]) => {
    const [width = 0, height = 0] = cell.screen.split('x').map(Number)
    if (cell.font !== font) await cdp.send('Page.setFontSizes', { fontSizes: { standard: cell.font } })
    font = cell.font
    await page.setViewportSize({ width, height })
    return height
  }
  await tour(player, await makeAccount(server), async (mode, main) => {
    await expect(main.and(page.locator('.primary'))).toBeVisible()
    misfits.push(...(await violations(player, mode)))
    for (const [place, cell] of TABLE.entries()) {
      const { screen, colorScheme } = cell
      if (TABLE[place - 1]?.colorScheme !== colorScheme) await page.emulateMedia({ colorScheme })
      const height = await show(cell)
      const { found, isGame, button, result, apart, page: end } = await player.settle<Look>(LOOK)
      if (isGame || FIRST_SCREENS.includes(screen)) {
        if (button > height) found.push(`the button ends at ${button}`)
        if (result > height) found.push(`the result ends at ${result}`)
      }
      if (isGame && cell.font === 16 && ONE_WINDOW.includes(screen)) {
        if (end !== height) found.push(`the page ends at ${end}`)
        if (Math.abs(apart) > 0.5) found.push(`the boards end ${apart} px below the card`)
      }
      const at = `${mode}, ${screen}, font ${cell.font} px, ${colorScheme}`
      misfits.push(...found.map(misfit => `${at}: ${misfit}`))
    }
    await show({ screen: '1280x720', font: 16, colorScheme: 'dark' })
    await page.emulateMedia({ colorScheme: 'dark' })
  })
  await player.button('Account').click()
  await player.button('Delete account').click()
  misfits.push(...(await violations(player, 'account menu')))
  expect(misfits).toEqual([])
})

/** Gives the held prize six digits, so that its chip is as wide as it gets. */
function heldLong(body: Session): Session {
  return { ...body, prize: body.prize && { ...body.prize, taps: 471_100 } }
}

/** Windows in which the whole game does not fit. */
const LOWEST_SCREENS = ['320x256', '320x300', '360x330', '427x240', '480x270', '568x232', '667x375']

/** The parts that a player needs during a round, with their distance below the window, in px. */
const BELOW_WINDOW = `['.target-time', '.dot', '.play', '.pool-taps'].map(it => {
  const { bottom } = document.querySelector(it).getBoundingClientRect()
  return [it, Math.max(0, Math.round(bottom - innerHeight))]
})`

test('the target, the dot, Stop and the pool stay in the lowest windows, and nothing scrolls sideways', async ({
  visit,
}) => {
  const player = await visit({ reducedMotion: 'reduce' })
  const { page } = player
  await player.open()
  await player.win()
  await player.changeAnswers<Session>('**/api/session', heldLong)
  await page.reload()
  await player.keepPlaying()
  await expect(player.chip).toBeVisible()
  const found: unknown[] = []
  await player.start()
  for (const screen of LOWEST_SCREENS) {
    const [width = 0, height = 0] = screen.split('x').map(Number)
    await page.setViewportSize({ width, height })
    const parts = await player.settle<[string, number][]>(BELOW_WINDOW)
    found.push(...parts.filter(([, px]) => px > 0).map(part => [screen, ...part]))
    const wider = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
    if (wider > 0) found.push([screen, 'scrolls sideways by', wider])
    // The page clips its sides, so a button that is pushed out of the window scrolls nothing.
    const login = await player.button('Login').boundingBox()
    if (login === null || login.x + login.width > width) found.push([screen, 'Login leaves the window'])
    const [target, stop] = await Promise.all([
      player
        .region('Target Time')
        .getByText(/^\d\.\d\d$/)
        .boundingBox(),
      player.stopButton.boundingBox(),
    ])
    if (target === null || stop === null) throw new Error('The target or Stop is missing')
    const covers = target.x + target.width > stop.x && target.y + target.height > stop.y + 2
    if (covers) found.push([screen, 'Stop covers the target'])
  }
  expect(found).toEqual([])
})

/** Prizes of one, four and six digits. */
const AMOUNTS = [3, 4_711, 471_100]

const AMOUNT_SCREENS = ['320x568', '360x740', '390x844', '844x390', '768x1024', '1024x768', '1280x800']

/** Keeps a win in view, because claim mode would replace it while the test measures. */
const HOLD_TIMERS = `
  const start = setTimeout
  globalThis.setTimeout = (run, ms, ...rest) => start(run, globalThis.holdsTimers && ms > 1_000 ? 600_000 : ms, ...rest)`

const RAIL = `(() => {
  const { left, width } = document.querySelector('.rail').getBoundingClientRect()
  return Math.round(left) + ' to ' + Math.round(left + width)
})()`

test('pools and prizes of one to six digits fit every screen, and the rail keeps its place', async ({
  visit,
  complaints,
}) => {
  test.setTimeout(300_000)
  complaints.expect(/api.live/)
  const player = await visit({ reducedMotion: 'reduce' })
  const { page } = player
  await page.addInitScript(HOLD_TIMERS)
  // Without the stream, the page polls the boards.
  await page.route('**/api/live', route => route.abort())
  let taps = 0
  await player.changeAnswers<PrizePool>('**/api/prize-pool', body => {
    const created_at = new Date().toISOString()
    return {
      ...body,
      taps,
      last_win: { username: 'W'.repeat(32), is_guest: true, won_taps: taps, created_at },
    }
  })
  await player.changeAnswers<Recorded>('**/api/attempts', async body => {
    // Not earlier, because on a busy machine the page waits before it sends the attempt.
    if (body.attempt?.won_taps != null) await page.evaluate('globalThis.holdsTimers = true')
    return wonTaps(body, taps)
  })
  const misfits: string[] = []
  const rails = new Map<string, string>()
  const look = async (mode: string) => {
    for (const screen of AMOUNT_SCREENS) {
      const [width = 0, height = 0] = screen.split('x').map(Number)
      await page.setViewportSize({ width, height })
      const found = await player.settle<string[]>(MISFITS)
      if (mode !== 'claim') {
        const rail = await page.evaluate<string>(RAIL)
        const before = rails.get(screen) ?? rail
        rails.set(screen, before)
        if (rail !== before) found.push(`the rail reaches from ${rail}, before from ${before}`)
      }
      misfits.push(...found.map(misfit => `${mode} of ${taps}, ${screen}: ${misfit}`))
    }
  }
  for (taps of AMOUNTS) {
    await page.goto('/')
    // A reload returns to the held prize.
    if (taps !== AMOUNTS[0]) await player.keepPlaying()
    await player.region('Prize pool').getByText(taps.toLocaleString('en-US'), { exact: true }).waitFor()
    await look('pool')
    await player.start()
    await player.stop(38)
    await expect(player.wonButton).toBeVisible()
    await look('win')
    await page.evaluate('globalThis.holdsTimers = false')
    await expect(player.wonButton).toHaveCSS('background-color', await player.themeColour('--perfect'))
    await player.press(WIN_SEEN_MS)
    await expect(player.wonHeading).toBeVisible()
    await look('claim')
  }
  expect(misfits).toEqual([])
})

/** Changes the prize of a recorded win. */
function wonTaps(body: Recorded, taps: number): Recorded {
  const { attempt, prize } = body
  if (attempt?.won_taps == null) return body
  return { ...body, prize: prize && { ...prize, taps }, attempt: { ...attempt, won_taps: taps } }
}

test('each mode opens at the top of the page', async ({ visit }) => {
  const player = await visit({ viewport: { width: 844, height: 300 } })
  await player.open()
  await player.win()
  const top = () => player.page.evaluate<number>('scrollY')
  expect(await top()).toBe(0)
  await player.page.evaluate('scrollTo(0, 100)')
  expect(await top()).toBeGreaterThan(0)
  await player.keepPlaying()
  expect(await top()).toBe(0)
})

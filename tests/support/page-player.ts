import { type CDPSession, expect, type Locator, type Page } from '@playwright/test'
import type { PrizePool } from '../../contract/api.ts'
import { CLAIM_DEBOUNCE_MS, START_DEBOUNCE_MS } from '../../contract/rules.ts'
import { toMs } from '../../contract/time.ts'
import { later } from '../../web/testing/later.ts'
import { type Press, pressWithMouse } from './devices.ts'
import { middleOf } from './timed-round.ts'

/** The least time between two rounds. Exceeds the debounce, even on a clock in steps of 100 ms. */
const PAUSE_MS = START_DEBOUNCE_MS + 100

/**
 * How far ahead a round that is played in one go is dated. On a busy machine, its Stop would otherwise be older than
 * the two seconds for which the page believes a stamp.
 */
const AHEAD_MS = 4_000

export const PASSWORD = 'a long enough password'

/** A player who uses the page, finds its elements by role and name, and stops at exact times. */
export class Player {
  readonly page: Page
  /** The time of the last press, in ms since the epoch. */
  #pressedAt = 0
  #targetMs = 0
  #cdp: CDPSession | undefined

  constructor(page: Page) {
    this.page = page
  }

  get startButton(): Locator {
    return this.button('Start')
  }

  get stopButton(): Locator {
    return this.button('Stop')
  }

  /** The button of a celebrated win. */
  get wonButton(): Locator {
    return this.page.getByRole('button', { name: /^You won/ })
  }

  get username(): Locator {
    return this.page.getByRole('textbox', { name: 'Username' })
  }

  get password(): Locator {
    return this.page.getByRole('textbox', { name: 'Password' })
  }

  get chip(): Locator {
    return this.page.getByRole('button', { name: /^[\d,]+ TAPS to claim$/ })
  }

  get wonHeading(): Locator {
    return this.page.getByRole('heading', { name: /^[\d,]+ TAPS$/ })
  }

  get attempts(): Locator {
    return this.region('Recent attempts').getByRole('listitem')
  }

  get ranks(): Locator {
    return this.region('Leaderboard').getByRole('listitem')
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true })
  }

  region(name: string): Locator {
    return this.page.getByRole('region', { name, exact: true })
  }

  async open(): Promise<void> {
    await this.page.goto('/')
    await expect(this.startButton).toBeEnabled()
  }

  /** Presses the button `afterMs` after the last press, according to the events' times. */
  async press(afterMs: number, device?: Press): Promise<void> {
    const button = this.startButton.or(this.stopButton).or(this.wonButton)
    this.#pressedAt += afterMs
    await this.#press(button, this.#pressedAt, device)
  }

  /** Starts the next round; returns its target in ms. */
  async start(device?: Press, aheadMs = 0): Promise<number> {
    await expect(this.startButton).toBeEnabled()
    // The time of the last press may lie in the future.
    const sincePress = Date.now() - this.#pressedAt
    await this.press(Math.max(sincePress + aheadMs, PAUSE_MS), device)
    await expect(this.stopButton).toBeVisible()
    this.#targetMs = await this.target()
    return this.#targetMs
  }

  /** Stops the round `differenceMs` after its target. */
  async stop(differenceMs: number, device?: Press): Promise<void> {
    await this.press(this.#targetMs + differenceMs, device)
    await expect(this.stopButton).toBeHidden()
  }

  /** Plays a round until it is recorded; returns its target in ms. */
  async play(differenceMs: number, device?: Press): Promise<number> {
    const target = await this.start(device, AHEAD_MS)
    await this.stop(differenceMs, device)
    const nextButton = this.page.getByRole('button', { name: 'Start', exact: true, disabled: false })
    await expect(nextButton.or(this.wonHeading)).toBeVisible()
    return target
  }

  /**
   * Wins a round and waits for claim mode, which opens by itself; returns the TAPS won. A press of "You won" could be
   * late on a busy machine, and then press what stands there in claim mode.
   */
  async win(differenceMs = 38): Promise<number> {
    await this.start(undefined, AHEAD_MS)
    await this.stop(differenceMs)
    return whole(await this.wonHeading.innerText())
  }

  /** Presses a button or tab of claim mode at the first time at which claim mode accepts presses. */
  async pressInClaim(name: string | RegExp, role: 'button' | 'tab' = 'button'): Promise<void> {
    const target = this.page.getByRole(role, { name, exact: true })
    await target.click({ trial: true })
    await this.#press(target, Date.now() + CLAIM_DEBOUNCE_MS)
  }

  /** Holds back requests for `path` until the returned function is called. */
  async holdBack(path: string): Promise<() => void> {
    const { promise, resolve } = later<void>()
    await this.page.route(path, async route => {
      await promise
      await route.continue()
    })
    return resolve
  }

  /** Changes the body of each answer for `path`. */
  async changeAnswers<Body>(path: string, change: (body: Body) => object | Promise<object>): Promise<void> {
    await this.page.route(path, async route => {
      const response = await route.fetch()
      await route.fulfill({ response, json: await change(await response.json()) })
    })
  }

  /** Names an address to join in the page's head, as the server does for `PUBLIC_URL`. */
  async nameAddress(url: string): Promise<void> {
    await this.page.route('/', async route => {
      const response = await route.fetch()
      const body = (await response.text()).replace('</head>', `<meta name="join" content="${url}"></head>`)
      await route.fulfill({ response, body })
    })
  }

  /** Pauses the page's clock, which the test must have installed before it opened the page. */
  async pauseClock(): Promise<void> {
    await expect(async () => {
      // `pauseAt` fails when a busy machine has already passed this time.
      await this.page.clock.pauseAt((await this.page.evaluate<number>('Date.now()')) + 1_000)
    }).toPass()
  }

  async keepPlaying(): Promise<void> {
    await this.pressInClaim('Keep playing')
    await expect(this.startButton).toBeVisible()
  }

  /** Returns the target that the page shows, in ms. */
  async target(): Promise<number> {
    const shown = this.region('Target Time').getByText(/^\d\.\d\d$/)
    return toMs(Number(await shown.innerText()))
  }

  /** Returns a theme colour as the browser computes it in the current colour scheme. */
  async themeColour(name: `--${string}`): Promise<string> {
    const colour = await this.page.evaluate<string | null>(`(() => {
      if (getComputedStyle(document.documentElement).getPropertyValue('${name}') === '') return null
      const probe = document.body.appendChild(document.createElement('i'))
      probe.style.color = 'var(${name})'
      const { color } = getComputedStyle(probe)
      probe.remove()
      return color
    })()`)
    if (colour === null) throw new Error(`The theme has no ${name}`)
    return colour
  }

  /** Returns the TAPS in the prize pool, once the page shows them. */
  async pool(): Promise<number> {
    const answer = await this.page.request.get('/api/prize-pool')
    const { taps }: PrizePool = await answer.json()
    await this.expectPool(taps)
    return taps
  }

  async expectPool(taps: number): Promise<void> {
    await expect(
      this.region('Prize pool').getByText(taps.toLocaleString('en-US'), { exact: true }),
    ).toBeVisible()
  }

  async expectBalance(taps: number): Promise<void> {
    const balance = this.page
      .getByRole('banner')
      .getByText(new RegExp(`^${taps.toLocaleString('en-US')} TAPS$`))
    await expect(balance).toBeVisible()
  }

  async logIn(username: string, password = PASSWORD): Promise<void> {
    await this.button('Login').click()
    await this.username.fill(username)
    await this.password.fill(password)
    await this.button('Login').click()
  }

  /**
   * Evaluates `script` once all animations have ended, before a live change can start new animations. During
   * an animation, elements have a different contrast and position.
   */
  async settle<Result>(script = 'undefined'): Promise<Result> {
    return this.page.evaluate<Result>(`(async () => {
      for (;;) {
        const moving = document.getAnimations().filter(({ playState, effect }) =>
          playState === 'running' && effect.getComputedTiming().iterations === 1)
        if (moving.length === 0) return ${script}
        await Promise.all(moving.map(({ finished }) => finished.catch(() => undefined)))
      }
    })()`)
  }

  async expectLoggedIn(username: string): Promise<void> {
    await expect(this.button('Logout')).toBeVisible()
    await expect(this.username).toHaveValue(username)
    await expect(this.username).toBeEditable({ editable: false })
  }

  /** Expects the error of a form below its button, on the screen and in the order of a screen reader. */
  async expectErrorBelowButton(): Promise<void> {
    const place = await this.page.evaluate(`(() => {
      const error = Array.from(document.querySelectorAll('form [role=alert]')).find(({ textContent }) => textContent)
      const button = error.closest('form').querySelector('[type=submit]')
      return {
        isBelow: error.getBoundingClientRect().top >= button.getBoundingClientRect().bottom,
        isRead: (button.compareDocumentPosition(error) & Node.DOCUMENT_POSITION_FOLLOWING) > 0,
      }
    })()`)
    expect(place).toEqual({ isBelow: true, isRead: true })
  }

  /** Sends a press with the time `at`, in ms since the epoch. */
  async #press(target: Locator, at: number, device: Press = pressWithMouse): Promise<void> {
    const point = await middleOf(target)
    this.#cdp ??= await this.page.context().newCDPSession(this.page)
    await device(this.#cdp, point, at)
  }
}

function whole(text: string): number {
  return Number(text.replace(/\D/g, ''))
}

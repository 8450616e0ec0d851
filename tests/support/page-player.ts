import { type CDPSession, expect, type Locator, type Page } from '@playwright/test'
import type { PrizePool } from '../../contract/api.ts'
import { CLAIM_SLIP_MS, START_SLIP_MS } from '../../contract/rules.ts'
import { toMs } from '../../contract/time.ts'
import { type Press, pressWithMouse } from './devices.ts'

/** The least time between two rounds, in ms: a press that comes sooner is a slip, also by a clock in steps of 100 ms. */
const PAUSE_MS = START_SLIP_MS + 100

export const PASSWORD = 'a long enough password'

/** A person at the page: finds things by role and name, and stops when they mean to. */
export class Player {
  readonly page: Page
  /** When the last press was, in ms since the epoch. */
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

  get username(): Locator {
    return this.page.getByRole('textbox', { name: 'Username' })
  }

  get password(): Locator {
    return this.page.getByRole('textbox', { name: 'Password' })
  }

  /** The chip that leads to what is held. */
  get chip(): Locator {
    return this.page.getByRole('button', { name: /^[\d,]+ TAPS to claim$/ })
  }

  /** The heading of claim mode. */
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

  /** Opens the page, and waits until it can be played. */
  async open(): Promise<void> {
    await this.page.goto('/')
    await expect(this.startButton).toBeEnabled()
  }

  /** Presses the button once, exactly `afterMs` after the last press by the time of the event. */
  async press(afterMs: number, device: Press = pressWithMouse): Promise<void> {
    const button = this.startButton.or(this.stopButton)
    // Playwright's own scrolling waits until the button is at rest, and a press need not.
    await button.evaluate('button => button.scrollIntoView({ block: "nearest" })')
    const box = await button.boundingBox()
    if (box === null) throw new Error('There is no button to press')
    this.#pressedAt += afterMs
    this.#cdp ??= await this.page.context().newCDPSession(this.page)
    await device(this.#cdp, { x: box.x + box.width / 2, y: box.y + box.height / 2 }, this.#pressedAt)
  }

  /** Starts the next round as soon as there is one; returns its target in ms. */
  async start(device?: Press): Promise<number> {
    await expect(this.startButton).toBeEnabled()
    // A stop may lie in what is the future for everybody else.
    const sincePress = Date.now() - this.#pressedAt
    await this.press(Math.max(sincePress, PAUSE_MS), device)
    await expect(this.stopButton).toBeVisible()
    this.#targetMs = await this.target()
    return this.#targetMs
  }

  /** Stops the round `differenceMs` after its target, by the time of the event. */
  async stop(differenceMs: number, device?: Press): Promise<void> {
    await this.press(this.#targetMs + differenceMs, device)
    await expect(this.stopButton).toBeHidden()
  }

  /** Plays a whole round and waits until it is recorded; returns its target in ms. */
  async play(differenceMs: number, device?: Press): Promise<number> {
    const target = await this.start(device)
    await this.stop(differenceMs, device)
    const nextButton = this.page.getByRole('button', { name: 'Start', exact: true, disabled: false })
    await expect(nextButton.or(this.wonHeading)).toBeVisible()
    return target
  }

  /** Plays a round that wins, and goes to claim mode before it comes by itself; returns the TAPS won. */
  async win(differenceMs = 38): Promise<number> {
    await this.play(differenceMs)
    await this.page.evaluate("document.querySelector('.chip')?.click()")
    await this.settleClaim()
    return whole(await this.wonHeading.innerText())
  }

  /** Waits until claim mode takes presses: before, they are those of a hand that meant the round. */
  async settleClaim(): Promise<void> {
    // What is left of a hold that has ended is a button alone.
    await expect(this.wonHeading.or(this.button('Keep playing')).first()).toBeVisible()
    await this.page.waitForTimeout(CLAIM_SLIP_MS)
  }

  async keepPlaying(): Promise<void> {
    await this.settleClaim()
    await this.button('Keep playing').click()
    await expect(this.startButton).toBeVisible()
  }

  /** The target that is shown, in ms. */
  async target(): Promise<number> {
    const shown = this.region('Target Time').getByText(/^\d\.\d\d$/)
    return toMs(Number(await shown.innerText()))
  }

  /** A colour of the theme by the name of its custom property, as the browser computes it in this scheme. */
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

  /** The prize pool, once the page shows it as it is. */
  async pool(): Promise<number> {
    const answer = await this.page.request.get('/api/prize-pool')
    const { taps }: PrizePool = await answer.json()
    await this.expectPool(taps)
    return taps
  }

  /** Waits until the prize pool shows `taps`. */
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

  /** Fills in login mode and sends it. */
  async logIn(username: string, password = PASSWORD): Promise<void> {
    await this.button('Login').click()
    await this.username.fill(username)
    await this.password.fill(password)
    await this.button('Login').click()
  }

  /**
   * Evaluates `script` once what moves in has come to rest, in the same moment, before a live change sets something
   * going again: half-transparent words have half their contrast, and a row on its way lies over others.
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
  }
}

function whole(text: string): number {
  return Number(text.replace(/\D/g, ''))
}

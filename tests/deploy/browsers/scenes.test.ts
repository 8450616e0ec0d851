import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { AttemptList } from '../../../contract/api.ts'
import { CLAIM_DEBOUNCE_MS, START_DEBOUNCE_MS } from '../../../contract/rules.ts'
import { type GameServer, startServer } from '../../browser/server.ts'
import { Client } from '../../support/client.ts'
import { PASSWORD } from '../../support/page-player.ts'
import type { Browser } from './browser.ts'
import { openFirefox } from './firefox.ts'
import { openWebKit } from './webkit.ts'

const HIT_MS = 38
const MISS_MS = 612

/** `npm run test:deploy` sets BROWSERS to the installed browsers. */
const { BROWSERS = 'Firefox,WebKit' } = process.env
const OPEN: Readonly<Record<string, () => Promise<Browser>>> = {
  Firefox: openFirefox,
  WebKit: openWebKit,
}

/**
 * Records the times of presses, the brief signs of a win, and all errors of the page. `pressAt` sets the time
 * of the next press, so that a win does not depend on luck.
 */
const WATCH = `void (() => {
  const seen = { won: false, feedback: false, confetti: false }
  Object.assign(globalThis, { presses: [], errors: [], seen, pressAt: null })
  const { get } = Object.getOwnPropertyDescriptor(Event.prototype, 'timeStamp')
  Object.defineProperty(Event.prototype, 'timeStamp', {
    get() { return (this.type === 'pointerdown' ? pressAt : null) ?? get.call(this) },
  })
  addEventListener('pointerdown', event => presses.push(event.timeStamp), true)
  new MutationObserver(() => {
    const result = document.querySelector('[aria-label=Result]')?.textContent ?? ''
    seen.won ||= result.includes('You won 2 TAPS')
    seen.feedback ||= result.includes("SO close! You've got serious skills!")
    seen.confetti ||= document.querySelector('canvas') !== null
  }).observe(document.body, { subtree: true, childList: true, characterData: true })
  addEventListener('error', ({ message }) => errors.push(message))
  addEventListener('unhandledrejection', ({ reason }) => errors.push(String(reason)))
  addEventListener('securitypolicyviolation', ({ violatedDirective }) => errors.push(violatedDirective))
  console.error = (...args) => errors.push(args.join(' '))
})()`

test.for(BROWSERS.split(','))(
  'a guest plays a round, wins and claims in %s',
  async (name, { onTestFinished }) => {
    const server = await startServer()
    onTestFinished(server.stop)
    const browser = await OPEN[name]?.()
    if (!browser) throw new Error(`BROWSERS contains an unknown browser: ${name}`)
    onTestFinished(browser.close)
    await browser.open(server.url)
    await browser.evaluate(WATCH)
    await playInRealTime(browser, server)
    await win(browser)
    expect(await browser.evaluate('errors'), 'errors of the page').toEqual([])
    await claim(browser, server)
    await server.audit()
  },
)

/** Plays a round. The shown and the recorded time must equal the time between the two press events. */
async function playInRealTime(browser: Browser, server: GameServer): Promise<void> {
  const target = await start(browser)
  // Waits until a Stop is certain to miss, however long the press takes.
  await until(browser, `performance.now() - presses.at(-1) > ${target + MISS_MS}`)
  await browser.press('Stop')
  await expectRegionText(browser, 'Result', /Difference\s*\d\.\d{3}s/i)
  const between = Math.round(await browser.evaluate<number>('presses.at(-1) - presses.at(-2)'))
  await expectRegionText(browser, 'Result', new RegExp(`${((between - target) / 1_000).toFixed(3)}s`))
  await expectRegionText(browser, 'Recent attempts', /\+\d\.\d{3} s/)
  const { body } = await new Client(server.url).get<AttemptList>('/api/attempts')
  expect(body.attempts.map(({ actual_time }) => actual_time)).toEqual([between / 1_000])
}

async function win(browser: Browser): Promise<void> {
  const target = await start(browser)
  await browser.evaluate(`void (pressAt = presses.at(-1) + ${target + HIT_MS})`)
  await browser.press('Stop')
  await browser.evaluate('void (pressAt = null)')
  await expectText(browser, /Create account & claim 2 TAPS/)
  expect(await browser.evaluate('seen')).toEqual({ won: true, feedback: true, confetti: true })
  await expectText(browser, /\d\.\d\d s for \d\.\d\d s.*held for you 1[45]:\d\d/s)
}

async function claim(browser: Browser, server: GameServer): Promise<void> {
  await browser.fill('Username', 'Claiming Otter')
  await browser.fill('Password', PASSWORD)
  // Waits for the end of the debounce, because WebKit's driver fills the form within 0.2 s.
  await sleep(CLAIM_DEBOUNCE_MS)
  await browser.press('Create account & claim 2 TAPS')
  await expectText(browser, /2 TAPS claimed\. Your balance is 2 TAPS\./)
  await expectRegionText(browser, 'Prize pool', /\b0\b/)
  await expectRegionText(browser, 'Leaderboard', /Claiming Otter\s*2/)
  await browser.open(server.url)
  await expectText(browser, /Logout/)
}

/** Starts a round; returns its target in ms. */
async function start(browser: Browser): Promise<number> {
  await until(browser, `performance.now() > (presses.at(-1) ?? -Infinity) + ${START_DEBOUNCE_MS}`)
  await browser.press('Start')
  // The page shows the previous target until the press is rendered.
  await until(browser, "document.querySelector('.play')?.textContent.startsWith('Stop')")
  const shown = await expectRegionText(browser, 'Target Time', /\d\.\d\d/)
  return Math.round(Number(/\d\.\d\d/.exec(shown)?.[0]) * 1_000)
}

async function until(browser: Browser, expression: string): Promise<void> {
  await expect.poll(() => browser.evaluate(expression), { message: expression }).toBe(true)
}

/** Waits until a region's text matches. Returns the text as one line, because browsers wrap differently. */
async function expectRegionText(browser: Browser, region: string, pattern: RegExp): Promise<string> {
  const text = async () => {
    const inner = `document.querySelector('section[aria-label="${region}"]')?.innerText ?? ''`
    return (await browser.evaluate<string>(inner)).replace(/\s+/g, ' ')
  }
  await expect.poll(text, { message: region }).toMatch(pattern)
  return text()
}

async function expectText(browser: Browser, pattern: RegExp): Promise<void> {
  await expect.poll(() => browser.evaluate('document.body.innerText')).toMatch(pattern)
}

import { expect } from 'vitest'
import type { AttemptList } from '../../../contract/api.ts'
import { makeAccount } from '../../browser/accounts.ts'
import { Client } from '../../support/client.ts'
import { PASSWORD } from '../../support/page-player.ts'
import { playEverywhere, scene } from './stage.ts'
import { KEYS, type Visitor } from './visitor.ts'

/** The same scenes in each browser: what a player does, by its own mouse and keyboard. */

/** Longer than Stop is a slip. */
const ROUND_MS = 700
const HIT_MS = 38
const MISS_MS = 612

const round = scene('round', async ({ visitor, server }) => {
  const target = await visitor.start()
  await visitor.until(
    'the dot moves',
    "document.querySelector('.dot').getAnimations()[0].playState === 'running'",
  )
  await new Promise(resolve => setTimeout(resolve, ROUND_MS))
  await visitor.click('button', 'Stop')
  const shown = await visitor.reads('Result', /\d\.\d{3}s/)
  const between = Math.round(await visitor.between())
  expect(shown).toBe(`${(Math.abs(between - target) / 1_000).toFixed(3)}s`)
  await visitor.isReady()
  const { body } = await new Client(server.url).get<AttemptList>('/api/attempts')
  expect(
    body.attempts.map(({ actual_time }) => actual_time),
    'the time is the one between the two presses',
  ).toEqual([between / 1_000])
})

/** Notes down what is there for a moment only. */
const WATCH_WIN = `void (globalThis.seen = {}, new MutationObserver(() => {
  seen.won ||= document.querySelector('[aria-label=Result]')?.textContent.includes('You won 1 TAPS')
  seen.confetti ||= document.querySelector('canvas') !== null
}).observe(document.body, { subtree: true, childList: true }))`

const win = scene('win', async ({ visitor }) => {
  await visitor.tab.evaluate(WATCH_WIN)
  await visitor.stopAt((await visitor.start()) + HIT_MS)
  await visitor.find('heading', '1 TAPS')
  await visitor.until('the result was seen to win, and confetti over it', 'seen.won && seen.confetti')
  await visitor.sees(/SO close! You've got serious skills!/)
  await visitor.sees(/Held for you for 1[45]:\d\d/)
  await visitor.until('the focus is on what was won', "document.activeElement.matches('.claim-amount')")
})

const claim = scene('claim', async ({ visitor, server }) => {
  await visitor.play(MISS_MS)
  await visitor.stopAt((await visitor.start()) - HIT_MS)
  await visitor.fill('Username', 'Claiming Otter')
  await visitor.fill('Password', PASSWORD)
  await visitor.click('button', 'Create account & claim 2 TAPS')
  await visitor.find('button', 'Logout')
  await visitor.sees(/2 TAPS claimed\. Your balance is 2 TAPS\./)
  await visitor.reads('Prize pool', /\b0\b/)
  await visitor.reads('Leaderboard', /Claiming Otter\s*2/)
  await visitor.open(server.url)
  await visitor.find('button', 'Logout')
})

const login = scene('login', async ({ visitor, server }) => {
  const name = await makeAccount(server)
  await visitor.click('button', 'Login')
  await visitor.fill('Username', name)
  await visitor.fill('Password', 'not the password')
  await visitor.click('button', 'Login')
  await visitor.sees(/Invalid password/)
  await visitor.until('the focus is on the field', "document.activeElement.type === 'password'")
  await visitor.fill('Password', PASSWORD)
  await visitor.click('button', 'Login')
  await visitor.find('button', 'Logout')
  await visitor.tab.evaluate('history.forward()')
  await visitor.isReady()
  await visitor.click('button', 'Logout')
  await visitor.find('button', 'Login')
})

const offline = scene('offline', async ({ visitor, server }) => {
  await visitor.reads('Recent attempts', /\blive\b/)
  const target = await visitor.start()
  await server.halt()
  await visitor.reads('Recent attempts', /reconnecting|offline/)
  await visitor.stopAt(target + MISS_MS)
  await visitor.reads('Result', /0\.612s/)
  await visitor.sees(/Your attempt is kept here/)
  await server.restart()
  await visitor.reads('Recent attempts', /\+0\.612 s/)
  await visitor.isReady()
})

const live = scene('live', async ({ visitor, server }) => {
  await visitor.reads('Recent attempts', /\blive\b/)
  const client = new Client(server.url)
  const { body } = await client.play((await client.session()).round, MISS_MS, 'Watched Otter')
  await visitor.reads('Recent attempts', /Watched Otter\s*\+0\.612 s/)
  await visitor.reads('Prize pool', /\b1\b/)
  await client.play(body.round, 0, 'Watched Otter')
  await visitor.reads('Prize pool', /Watched Otter won 2 TAPS, just now/)
})

const twoTabs = scene('two tabs', async ({ visitor, server, nextTab }) => {
  const name = await makeAccount(server)
  const other = await nextTab()
  await other.play(MISS_MS)
  await other.isReady()
  await visitor.tab.show()
  await visitor.reads('Recent attempts', /\+0\.612 s/)
  await visitor.reads('Your timing', /best 0\.612/)
  await visitor.click('button', 'Login')
  await visitor.fill('Username', name)
  await visitor.fill('Password', PASSWORD)
  await visitor.press(KEYS.Enter)
  await visitor.find('button', 'Logout')
  await other.tab.show()
  await other.find('button', 'Logout')
  await other.click('button', 'Logout')
  await visitor.tab.show()
  await visitor.find('button', 'Login')
})

const keyboard = scene('keyboard', async ({ visitor }) => {
  await visitor.press(KEYS.Space)
  await visitor.find('button', 'Stop')
  const target = await targetOf(visitor)
  await visitor.stopAt(target + MISS_MS, () => visitor.press(KEYS.Space))
  await visitor.reads('Result', /0\.612s/)
  await visitor.isReady()
  await tabTo(visitor, 'Login')
  await visitor.press(KEYS.Enter)
  await visitor.find('password', 'Password')
  await visitor.press(KEYS.Escape)
  await visitor.until('the focus is on Start', "document.activeElement.matches('.play')")
  await visitor.press(KEYS.Enter)
  await visitor.find('button', 'Stop')
  await visitor.stopAt((await targetOf(visitor)) + HIT_MS, () => visitor.press(KEYS.Enter))
  await visitor.find('heading', '2 TAPS')
  await tabTo(visitor, 'Username')
  await visitor.press([KEYS.Control, 'a'], ...'Typing Otter', KEYS.Tab)
  await visitor.press(...PASSWORD, KEYS.Enter)
  await visitor.sees(/2 TAPS claimed/)
})

/** What moves: its class, and what of it. */
const MOVING = `document.getAnimations().map(({ transitionProperty, animationName, effect }) =>
  effect.target.className + ' ' + (transitionProperty ?? animationName))`

const reducedMotion = scene(
  'reduced motion',
  async ({ visitor }) => {
    await visitor.until('the browser knows', "matchMedia('(prefers-reduced-motion: reduce)').matches")
    await visitor.start()
    const easing = "getComputedStyle(document.querySelector('.dot')).animationTimingFunction"
    await visitor.until('the dot takes steps', `${easing}.startsWith('steps(5')`)
    await visitor.stopAt((await targetOf(visitor)) + MISS_MS)
    await visitor.reads('Result', /0\.612s/)
    await visitor.isReady()
    expect(await visitor.tab.evaluate(MOVING), 'all is there at once').toEqual([])
    await visitor.stopAt((await visitor.start()) + HIT_MS)
    await visitor.find('heading', '2 TAPS')
    expect(await visitor.tab.evaluate("document.querySelector('canvas')"), 'no confetti').toBeNull()
  },
  { reducedMotion: true },
)

const restart = scene('restart', async ({ visitor, server }) => {
  const target = await visitor.start()
  await server.restart()
  await visitor.stopAt(target + HIT_MS)
  await visitor.find('heading', '1 TAPS')
  await server.restart()
  await visitor.open(server.url)
  await visitor.find('heading', '1 TAPS')
  await visitor.click('button', 'Keep playing, claim later')
  await visitor.play(MISS_MS)
  await visitor.reads('Recent attempts', /\+0\.612 s.*\+0\.038 s/s)
})

async function targetOf(visitor: Visitor): Promise<number> {
  return Math.round(Number(await visitor.reads('Target Time', /\d\.\d\d/)) * 1_000)
}

/** Goes on by Tab until the focus is on what has this name. */
async function tabTo(visitor: Visitor, name: string): Promise<void> {
  const named = `(({ labels, ariaLabel, innerText }) => labels?.[0]?.innerText ?? ariaLabel ?? innerText)(document.activeElement)`
  for (let tabs = 0; tabs < 20; tabs += 1) {
    if ((await visitor.tab.evaluate(named)) === name) return
    await visitor.press(KEYS.Tab)
  }
  throw new Error(`No Tab leads to ${name}`)
}

playEverywhere([round, win, claim, login, offline, live, twoTabs, keyboard, reducedMotion, restart])

import { setTimeout as wait } from 'node:timers/promises'
import type { CDPSession, Page } from '@playwright/test'
import { CLAIM_DEBOUNCE_MS, START_DEBOUNCE_MS } from '../../contract/rules.ts'
import type { Point } from '../../tests/support/devices.ts'
import { middleOf } from '../../tests/support/timed-round.ts'

export interface PressFigures {
  /** The times from press to the frame that shows the press, in ms; at least 16. */
  readonly starts: readonly number[]
  readonly stops: readonly number[]
  /** Frames per second during a round, at full speed and on the slowed core. */
  readonly running: number
  readonly slowRunning: number
  /** The sum of the layout shifts that are no answer to a press. The answer moves the target on purpose. */
  readonly shift: number
}

/** The length of a round: longer than Start's animations, and too short to win. */
const ROUND_MS = 500
const FRAMES_MS = 2_000
/** The time from press to release, long enough for the release to fall into a later frame. */
const HELD_MS = 80
/** The shortest duration that Event Timing reports. */
const LEAST_MS = 16

const RECORD = `
  globalThis.presses = new Map()
  globalThis.shift = 0
  const observe = (options, see) => new PerformanceObserver(list => list.getEntries().forEach(see)).observe(options)
  addEventListener('pointerdown', ({ timeStamp }) => presses.set(Math.round(timeStamp), ${LEAST_MS}), true)
  observe({ type: 'event', durationThreshold: ${LEAST_MS} }, ({ name, startTime, duration }) => {
    if (name === 'pointerdown') presses.set(Math.round(startTime), duration)
  })
  observe({ type: 'layout-shift', buffered: true }, ({ value, hadRecentInput }) => {
    if (!hadRecentInput) shift += value
  })
  globalThis.framesIn = ms => new Promise(resolve => {
    const times = []
    requestAnimationFrame(function count(now) {
      times.push(now)
      if (now - times[0] < ms) requestAnimationFrame(count)
      else resolve((times.length - 1) * 1_000 / (now - times[0]))
    })
  })`

/** Plays rounds on a slowed core, then counts the frames of a running round. */
export async function play(page: Page, rounds: number, throttling: number): Promise<PressFigures> {
  const cdp = await page.context().newCDPSession(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.addInitScript(RECORD)
  await page.goto('/')
  await slow(cdp, throttling)
  for (let round = 0; round < rounds; round += 1) await playRound(page, cdp)
  await press(page, cdp, 'Start')
  const slowRunning = await page.evaluate<number>(`framesIn(${FRAMES_MS})`)
  await slow(cdp, 1)
  const running = await page.evaluate<number>(`framesIn(${FRAMES_MS})`)
  const presses = await page.evaluate<number[]>('Array.from(presses.values())')
  const shift = await page.evaluate<number>('shift')
  const ofRounds = presses.slice(0, 2 * rounds)
  return {
    starts: ofRounds.filter((_, index) => index % 2 === 0),
    stops: ofRounds.filter((_, index) => index % 2 === 1),
    running,
    slowRunning,
    shift,
  }
}

async function playRound(page: Page, cdp: CDPSession): Promise<void> {
  await press(page, cdp, 'Start')
  await wait(ROUND_MS)
  await press(page, cdp, 'Stop')
  await wait(START_DEBOUNCE_MS)
  await leaveClaim(page)
}

/** Leaves claim mode after a win. Presses a key, because a touch would count as a measured press. */
async function leaveClaim(page: Page): Promise<void> {
  const start = page.getByRole('button', { name: 'Start', exact: true, disabled: false })
  const keepPlaying = page.getByRole('button', { name: /^Keep playing/ })
  const won = page.getByText(/^You won [\d,]+ TAPS$/)
  await start.or(keepPlaying).waitFor()
  if (!(await won.or(keepPlaying).first().isVisible())) return
  await keepPlaying.waitFor()
  await wait(CLAIM_DEBOUNCE_MS)
  await keepPlaying.press('Enter')
}

async function press(page: Page, cdp: CDPSession, name: 'Start' | 'Stop'): Promise<void> {
  const button = page.getByRole('button', { name, exact: true, disabled: false })
  await button.waitFor()
  const touch = (type: 'touchStart' | 'touchEnd', touchPoints: Point[]) =>
    cdp.send('Input.dispatchTouchEvent', { type, touchPoints })
  await touch('touchStart', [await middleOf(button)])
  await wait(HELD_MS)
  await touch('touchEnd', [])
}

async function slow(cdp: CDPSession, rate: number): Promise<void> {
  await cdp.send('Emulation.setCPUThrottlingRate', { rate })
}

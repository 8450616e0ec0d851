import { type Browser, type CDPSession, chromium, type Page } from '@playwright/test'
import type { Recorded } from '../../contract/api.ts'
import { STOP_DEBOUNCE_MS } from '../../contract/rules.ts'
import { findChromium } from '../../tests/support/chromium.ts'
import { Crowd } from '../../tests/support/crowd.ts'
import { pressSpace, pressWithFinger, pressWithMouse } from '../../tests/support/devices.ts'
import { BLOCK_MAIN_THREAD, middleOf, pressTwice } from '../../tests/support/timed-round.ts'
import type { Figure, Part } from '../section.ts'
import { startGame, withPostgres } from '../stage.ts'
import { Timings, type TimingsSummary } from '../timings.ts'

const ROUNDS = 200
/** The range of times from Start to Stop. The page ignores a Stop before this range. */
const INTERVAL_MS = { from: STOP_DEBOUNCE_MS, to: STOP_DEBOUNCE_MS + 200 }
const DEVICES = [pressWithMouse, pressSpace, pressWithFinger]

interface Condition {
  readonly name: string
  begin?(page: Page, cdp: CDPSession): Promise<unknown>
  /** The rate at which other players' attempts reach the page. */
  readonly eventsPerSecond?: number
}

const CONDITIONS: readonly Condition[] = [
  { name: 'idle' },
  { name: 'main thread blocked, 50 ms at a time', begin: page => page.evaluate(BLOCK_MAIN_THREAD) },
  {
    name: 'CPU throttled 6×',
    begin: (_page, cdp) => cdp.send('Emulation.setCPUThrottlingRate', { rate: 6 }),
  },
  { name: 'live stream, 10 events per second', eventsPerSecond: 10 },
]

export const part: Part = {
  async run([rounds = `${ROUNDS}`]) {
    const { executablePath, env } = await findChromium()
    const browser = await chromium.launch({ executablePath, env: { ...process.env, ...env } })
    const figures = await withPostgres(async postgres => {
      const { url } = await startGame(postgres.settings())
      const found: Figure[] = []
      for (const condition of CONDITIONS) {
        const { p50, p99, max } = await measure(browser, url, condition, Number(rounds))
        for (const [name, value] of Object.entries({ median: p50, p99, largest: max })) {
          found.push({ name: `${condition.name}: ${name}, ms`, ours: [value], goal: { atMost: 0.5 } })
        }
      }
      return found
    }).finally(() => browser.close())
    const title = `Error of the recorded time, ${rounds} rounds each, Chromium ${browser.version()}`
    return { title, figures }
  },
}

/** Plays rounds with each device in turn, and compares recorded times with the times between presses. */
async function measure(
  browser: Browser,
  url: string,
  { begin, eventsPerSecond }: Condition,
  rounds: number,
): Promise<TimingsSummary> {
  const context = await browser.newContext({ baseURL: url, hasTouch: true })
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  await page.goto('/')
  const button = page.getByRole('button', { name: /^Start/, disabled: false })
  const point = await middleOf(button)
  await begin?.(page, cdp)
  const crowd = eventsPerSecond ? await Crowd.playSteadily(url, eventsPerSecond) : null
  const errors = new Timings()
  for (let round = 0; round < rounds; round += 1) {
    await button.waitFor()
    const answered = page.waitForResponse('**/api/attempts')
    const interval = INTERVAL_MS.from + Math.random() * (INTERVAL_MS.to - INTERVAL_MS.from)
    const truth = await pressTwice(cdp, point, interval, DEVICES[round % DEVICES.length])
    const { attempt }: Recorded = await (await answered).json()
    errors.add(Math.abs(attempt.actual_time * 1_000 - truth))
  }
  await crowd?.leave()
  await context.close()
  return errors.summary()
}

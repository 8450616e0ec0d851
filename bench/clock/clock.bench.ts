import { cpus, loadavg } from 'node:os'
import type { CDPSession, Page } from '@playwright/test'
import type { Recorded } from '../../contract/api.ts'
import { STOP_SLIP_MS } from '../../contract/rules.ts'
import { test } from '../../tests/browser/test.ts'
import { type Press, pressSpace, pressWithFinger, pressWithMouse } from '../../tests/support/devices.ts'
import { middleOf, pressTwice } from '../../tests/support/timed-round.ts'
import { CONDITIONS, type Condition } from './conditions.ts'
import { ErrorTable, summarise } from './errors.ts'
import { PAGES, type RivalSite, rivalVersions, serveRivals } from './rivals.ts'

const { ROUNDS: asked } = process.env
const ROUNDS = Number(asked || 200)
const OURS = 'TAPS, as the server recorded it'

/** Long enough for every page to be ready for the second press, short enough for 2,600 of them. */
const INTERVAL_MS = { from: STOP_SLIP_MS, to: STOP_SLIP_MS + 200 }

const DEVICES: readonly Press[] = [pressWithMouse, pressSpace, pressWithFinger]

const table = new ErrorTable()
let rivals: RivalSite

/** Measures the interval between the two presses that it is given time for; answers in ms. */
type Measure = (pressing: Promise<number>) => Promise<number>

async function play(name: string, page: Page, gameUrl: string, condition: Condition, measure: Measure) {
  const cdp = await page.context().newCDPSession(page)
  const button = page.getByRole('button', { name: /^Start/, disabled: false })
  const point = await middleOf(button)
  const end = await condition.begin(page, cdp, gameUrl)
  const errors: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    await button.waitFor()
    const pressing = pressRound(cdp, point, name === OURS ? DEVICES[round % DEVICES.length] : undefined)
    const measured = await measure(pressing)
    errors.push(measured - (await pressing))
  }
  await end()
  table.set(name, condition.name, summarise(errors))
}

function pressRound(cdp: CDPSession, point: { x: number; y: number }, device?: Press): Promise<number> {
  const { from, to } = INTERVAL_MS
  return pressTwice(cdp, point, from + Math.random() * (to - from), device)
}

test.beforeAll(async () => {
  rivals = await serveRivals()
})

test.afterAll(async ({ browser }) => {
  await rivals.stop()
  const versions = await rivalVersions()
  const [processor] = cpus()
  console.log(`
${table}

${ROUNDS} rounds each; ${new Date().toISOString().slice(0, 10)}; ${processor?.model}, ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}
Node ${process.version}, Chromium ${browser.version()}, ${versions.join(', ')}`)
})

for (const condition of CONDITIONS) {
  test(`${OURS}: ${condition.name}`, async ({ visit, server }) => {
    const player = await visit({ hasTouch: true })
    await player.open()
    await play(OURS, player.page, server.url, condition, async pressing => {
      const answer = await player.page.waitForResponse('**/api/attempts')
      const { attempt }: Recorded = await answer.json()
      await pressing
      return attempt.actual_time * 1_000
    })
  })

  if (condition.ofLivePages) continue
  for (const { page: path, name } of PAGES) {
    test(`${name}: ${condition.name}`, async ({ visit, server }) => {
      const { page } = await visit({ baseURL: rivals.url })
      await page.goto(`/${path}.html`)
      let results = 0
      await play(name, page, server.url, condition, async pressing => {
        await pressing
        results += 1
        await page.waitForFunction(`results.length >= ${results}`)
        return page.evaluate<number>('results.at(-1)')
      })
    })
  }
}

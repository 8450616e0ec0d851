import { loadavg } from 'node:os'
import type { Recorded } from '../../contract/api.ts'
import { STOP_SLIP_MS } from '../../contract/rules.ts'
import { test } from '../../tests/browser/test.ts'
import { pressSpace, pressWithFinger, pressWithMouse } from '../../tests/support/devices.ts'
import type { Player } from '../../tests/support/page-player.ts'
import { middleOf, pressTwice } from '../../tests/support/timed-round.ts'
import { describeMachine } from '../machine.ts'
import { type Figure, toMarkdown } from '../section.ts'
import { Timings } from '../timings.ts'
import { CONDITIONS, type Condition } from './conditions.ts'

const { ROUNDS: asked } = process.env
const ROUNDS = Number(asked || 200)
/** Long enough for the page to take the second press, short enough for hundreds of rounds. */
const INTERVAL_MS = { from: STOP_SLIP_MS, to: STOP_SLIP_MS + 200 }
const DEVICES = [pressWithMouse, pressSpace, pressWithFinger]

const [loadBefore = 0] = loadavg()
const figures: Figure[] = []

test.afterAll(async ({ browser }) => {
  const notes = [`${ROUNDS} rounds each; Chromium ${browser.version()}.`]
  const title = 'The clock: how far the time of a round is from the truth'
  console.log(`\n${toMarkdown({ title, figures, notes }, await describeMachine(loadBefore))}`)
})

for (const condition of CONDITIONS) {
  test(condition.name, async ({ visit, server }) => {
    const player = await visit({ hasTouch: true })
    await player.open()
    const errors = await play(player, server.url, condition)
    const { p50, p99, max } = errors.summary()
    for (const [name, value] of Object.entries({ median: p50, p99, largest: max })) {
      figures.push({ name: `${condition.name}: ${name}, ms`, ours: [value], wanted: '≤ 0.5' })
    }
  })
}

/** Plays rounds with each device in turn, and times how far each recorded time is from that of its two events. */
async function play({ page }: Player, gameUrl: string, condition: Condition): Promise<Timings> {
  const cdp = await page.context().newCDPSession(page)
  const button = page.getByRole('button', { name: /^Start/, disabled: false })
  const point = await middleOf(button)
  const end = await condition.begin(page, cdp, gameUrl)
  const errors = new Timings()
  for (let round = 0; round < ROUNDS; round += 1) {
    await button.waitFor()
    const answered = page.waitForResponse('**/api/attempts')
    const { from, to } = INTERVAL_MS
    const truth = await pressTwice(
      cdp,
      point,
      from + Math.random() * (to - from),
      DEVICES[round % DEVICES.length],
    )
    const { attempt }: Recorded = await (await answered).json()
    errors.add(Math.abs(attempt.actual_time * 1_000 - truth))
  }
  await end()
  return errors
}

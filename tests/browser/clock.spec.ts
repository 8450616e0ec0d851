import type { AttemptList } from '../../contract/api.ts'
import { STOP_SLIP_MS } from '../../contract/rules.ts'
import { pressSpace, pressWithFinger, pressWithMouse } from '../support/devices.ts'
import type { Player } from '../support/page-player.ts'
import { BLOCK_MAIN_THREAD, middleOf, pressTwice } from '../support/timed-round.ts'
import { expect, longUnless, test } from './test.ts'

/** A few rounds of what `npm run bench:clock` does at length. */
const ROUNDS = 6
const DEVICES = [pressWithMouse, pressSpace, pressWithFinger]

/** The grid of attempts. */
const TOLERATED_MS = 1

async function recordedMs({ page }: Player): Promise<number> {
  const answer = await page.context().request.get('/api/attempts/mine')
  const { attempts }: AttemptList = await answer.json()
  return (attempts[0]?.actual_time ?? 0) * 1_000
}

for (const [condition, script] of [
  ['on an idle page', null],
  ['with a main thread that is blocked for 50 ms at a time', BLOCK_MAIN_THREAD],
] as const) {
  const title = `what is recorded is the interval of the events, to the millisecond, ${condition}`
  test(title, longUnless(script !== null), async ({ visit }) => {
    const player = await visit({ hasTouch: true })
    await player.open()
    const cdp = await player.page.context().newCDPSession(player.page)
    const button = await middleOf(player.startButton)
    if (script !== null) await player.page.evaluate(script)
    for (let round = 0; round < ROUNDS; round += 1) {
      await expect(player.startButton).toBeEnabled()
      const recorded = player.page.waitForResponse('**/api/attempts')
      const injectedMs = await pressTwice(
        cdp,
        button,
        STOP_SLIP_MS + 20 * round,
        DEVICES[round % DEVICES.length],
      )
      await recorded
      expect(Math.abs((await recordedMs(player)) - injectedMs)).toBeLessThanOrEqual(TOLERATED_MS)
    }
  })
}

test('an isolated page tells time in steps far below the grid', async ({ player }) => {
  const stepMs = await player.page.evaluate<number>(`(() => {
    const steps = []
    for (let at = performance.now(); steps.length < 100;) {
      const next = performance.now()
      if (next > at) steps.push(next - at)
      at = next
    }
    return crossOriginIsolated ? Math.min(...steps) : Infinity
  })()`)
  // 0.005 ms; without isolation it is 0.1 ms.
  expect(stepMs).toBeLessThan(0.05)
})

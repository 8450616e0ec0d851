import { AxeBuilder } from '@axe-core/playwright'
import type { AttemptList } from '../../contract/api.ts'
import type { Player } from '../support/page-player.ts'
import { expect, LONG, longUnless, test } from './test.ts'

/** Both clocks of a page in steps, as Firefox has them with `privacy.resistFingerprinting`. */
const roundTo = (stepMs: number) => `{
  const round = ms => Math.floor(ms / ${stepMs}) * ${stepMs}
  const { get } = Object.getOwnPropertyDescriptor(Event.prototype, 'timeStamp')
  Object.defineProperty(Event.prototype, 'timeStamp', { get() { return round(get.call(this)) } })
  const now = performance.now.bind(performance)
  performance.now = () => round(now())
}`

const LINE = /^This browser rounds time/

async function openRounded(player: Player, stepMs: number): Promise<void> {
  await player.page.addInitScript({ content: roundTo(stepMs) })
  await player.open()
}

for (const [stepMs, shown] of [
  [100, '100 ms'],
  [50 / 3, '17 ms'],
] as const) {
  const title = `a browser that rounds time to ${shown} is told so, in one plain line`
  test(title, longUnless(stepMs < 100), async ({ visit }) => {
    const player = await visit()
    await openRounded(player, stepMs)
    await expect(player.region('Result').getByText(LINE)).toHaveText(
      `This browser rounds time to ${shown}, so hits are partly luck.`,
    )
  })
}

test(
  'a browser that rounds to 1 ms, and one that does not round, is told nothing',
  LONG,
  async ({ visit }) => {
    for (const stepMs of [0, 1]) {
      const player = await visit()
      if (stepMs > 0) await openRounded(player, stepMs)
      else await player.open()
      await player.play(240)
      await expect(player.region('Result').getByText(LINE)).toBeHidden()
    }
  },
)

test('nothing else changes: rounds are played, recorded and won as ever', LONG, async ({ visit }) => {
  const player = await visit()
  await openRounded(player, 100)
  await player.play(400)
  const answer = await player.page.context().request.get('/api/attempts/mine')
  const { attempts }: AttemptList = await answer.json()
  expect(Math.round((attempts[0]?.actual_time ?? 1 / 3) * 1_000) % 100).toBe(0)
  await expect(player.region('Result').getByText(LINE)).toBeVisible()
  await player.win(0)
})

/** How tall the result is in a window of this width. */
async function heightAt(player: Player, width: number): Promise<number | undefined> {
  await player.page.setViewportSize({ width, height: 900 })
  return (await player.region('Result').boundingBox())?.height
}

test('the line moves nothing, is no alert, and is not read out unasked', LONG, async ({ visit }) => {
  const plain = await visit()
  await plain.open()
  const rounded = await visit()
  await openRounded(rounded, 100)
  const line = rounded.region('Result').getByText(LINE)
  await expect(line).toBeVisible()
  await expect(rounded.page.locator('[role=status], [role=alert], [aria-live]', { has: line })).toHaveCount(0)
  expect((await new AxeBuilder({ page: rounded.page }).analyze()).violations).toEqual([])
  const play = [async () => undefined, (one: Player) => one.start(), (one: Player) => one.stop(240)]
  for (const step of play) {
    await step(plain)
    await step(rounded)
    for (const width of [320, 360, 768, 1_280]) {
      expect(await heightAt(rounded, width), `at ${width} px`).toBe(await heightAt(plain, width))
    }
  }
})

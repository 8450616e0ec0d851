import { expect, test } from 'vitest'
import { type ClockOffset, isClose, measureClock, middleOf } from './clock.ts'

/** A database that answers with this time. */
function databaseAt(now: () => number) {
  return { query: async () => ({ rows: [{ now: now() }] }) } as unknown as Parameters<typeof measureClock>[0]
}

test.each<[ClockOffset, boolean | null]>([
  [{ leastMs: -750, mostMs: 750 }, true],
  [{ leastMs: 751, mostMs: 760 }, false],
  [{ leastMs: -760, mostMs: -751 }, false],
  [{ leastMs: 740, mostMs: 760 }, null],
  [{ leastMs: -760, mostMs: -740 }, null],
  [{ leastMs: -4_000, mostMs: 4_000 }, null],
  [{ leastMs: -4_000, mostMs: 0 }, null],
  [{ leastMs: Number.NaN, mostMs: Number.NaN }, null],
])('%j is close enough: %s', (offset, close) => {
  expect(isClose(offset, 750)).toBe(close)
})

test('the true offset lies within what is measured, however long the answer takes', async () => {
  const ahead = 5_000
  const offset = await measureClock(databaseAt(() => Date.now() + ahead))
  expect(offset.leastMs).toBeLessThanOrEqual(ahead)
  expect(offset.mostMs).toBeGreaterThanOrEqual(ahead)
  expect(Math.abs(middleOf(offset) - ahead)).toBeLessThanOrEqual(offset.mostMs - offset.leastMs)
})

import { expect, test, vi } from 'vitest'

const YESTERDAY = '2026-11-25T01:00:00.000Z'

test("ages follow the server's time from the first ping on, whatever the device's clock does and whatever is not a time", async () => {
  // A test file that ran before in this process may have noted a time.
  vi.resetModules()
  const { ageOf, noteServerTime } = await import('./server-clock.ts')
  vi.useFakeTimers()
  expect(ageOf(YESTERDAY), 'before the first ping').toBeNull()
  noteServerTime('2026-11-26T01:00:00.000Z')
  noteServerTime('yesterday')
  vi.setSystemTime('2031-01-01')
  vi.advanceTimersByTime(90_000)
  expect(ageOf(YESTERDAY)).toBe(86_400_000 + 90_000)
  expect(ageOf('2026-11-26T01:01:31.000Z'), 'an instant to come').toBe(0)
  vi.useRealTimers()
})

import { expect, test, vi } from 'vitest'
import { noteServerTime, serverNow } from './server-clock.ts'

test("follows the server's time, whatever the device's clock does and whatever is not a time", () => {
  vi.useFakeTimers()
  noteServerTime('Thu, 26 Nov 2026 01:00:00 GMT')
  for (const time of [null, 'yesterday']) noteServerTime(time)
  vi.setSystemTime('2031-01-01')
  vi.advanceTimersByTime(90_000)
  expect(new Date(serverNow()).toISOString()).toBe('2026-11-26T01:01:30.000Z')
  vi.useRealTimers()
})

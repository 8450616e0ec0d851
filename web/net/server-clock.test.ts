import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { noteServerTime, serverNow } from './server-clock.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test("follows the server's time, whatever the device's clock does afterwards", () => {
  noteServerTime('Thu, 26 Nov 2026 01:00:00 GMT')
  vi.setSystemTime('2031-01-01')
  vi.advanceTimersByTime(90_000)
  expect(new Date(serverNow()).toISOString()).toBe('2026-11-26T01:01:30.000Z')
})

test('ignores an answer without a readable time', () => {
  noteServerTime('2026-11-26T01:00:00.000Z')
  noteServerTime(null)
  noteServerTime('yesterday')
  expect(new Date(serverNow()).toISOString()).toBe('2026-11-26T01:00:00.000Z')
})

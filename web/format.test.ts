import { expect, test } from 'vitest'
import { formatCountdown, formatTaps } from './format.ts'

test.each([
  [0, '0'],
  [1_284, '1,284'],
  [123_456, '123,456'],
  [1_234_567, '1,234,567'],
])('%i TAPS are shown as %s', (taps, shown) => {
  expect(formatTaps(taps)).toBe(shown)
})

test.each([
  [892_000, '14:52'],
  [59_001, '1:00'],
  [999, '0:01'],
  [0, '0:00'],
  [-5, '0:00'],
])('%i ms to go are shown as %s', (ms, shown) => {
  expect(formatCountdown(ms)).toBe(shown)
})

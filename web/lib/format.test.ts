import { expect, test } from 'vitest'
import { describeDifference, formatAgo, formatCountdown, formatOrdinal, formatTaps } from './format.ts'

test.each([
  [0, '0'],
  [1_284, '1,284'],
  [123_456, '123,456'],
  [1_234_567, '1,234,567'],
])('formats %i TAPS as %s', (taps, shown) => {
  expect(formatTaps(taps)).toBe(shown)
})

test.each([
  [892_000, '14:52'],
  [59_001, '1:00'],
  [999, '0:01'],
  [0, '0:00'],
  [-5, '0:00'],
])('formats a countdown of %i ms as %s', (ms, shown) => {
  expect(formatCountdown(ms)).toBe(shown)
})

test.each([
  [-5_000, 'just now'],
  [59_999, 'just now'],
  [60_000, '1 minute ago'],
  [7_199_999, '1 hour ago'],
  [172_800_000, '2 days ago'],
])('formats an age of %d ms as "%s"', (ms, shown) => {
  expect(formatAgo(ms)).toBe(shown)
})

test('formats a rank as an ordinal number', () => {
  expect([1, 2, 3, 4, 11, 12, 13, 18, 21, 22, 111, 1_001].map(formatOrdinal).join(' ')).toBe(
    '1st 2nd 3rd 4th 11th 12th 13th 18th 21st 22nd 111th 1,001st',
  )
})

test('describes a difference', () => {
  expect([0, 999, -1_240, 1_005].map(describeDifference).join(', ')).toBe(
    'right on time, 0.999 s late, 1.240 s early, 1.005 s late',
  )
})

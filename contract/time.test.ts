import { expect, test } from 'vitest'
import { fc } from '../tests/support/properties.ts'
import { ACTUAL_MAX_MS } from './rules.ts'
import { formatDifference, formatSigned, formatTime, toMs, toSeconds } from './time.ts'

const ms = fc.integer({ min: 0, max: ACTUAL_MAX_MS })

test.each([
  [0, '0.00'],
  [5, '0.01'],
  [1_255, '1.26'],
  [3_245, '3.25'],
  [4_995, '5.00'],
  [9_995, '10.00'],
  [600_000, '600.00'],
])('formats %i ms as "%s", rounded half up', (time, text) => {
  expect(formatTime(time)).toBe(text)
})

test.each([
  [0, '0.000', '±0.000'],
  [1, '0.001', '+0.001'],
  [-38, '0.038', '−0.038'],
  [-1_005, '1.005', '−1.005'],
  [595_000, '595.000', '+595.000'],
])('formats a difference of %i ms as "%s" and with its sign as "%s"', (difference, text, signed) => {
  expect(formatDifference(difference)).toBe(text)
  expect(formatSigned(difference)).toBe(signed)
})

test('keeps every millisecond when a time is sent as seconds with 3 decimals', () => {
  fc.assert(
    fc.property(ms, time => {
      const wire = JSON.stringify(toSeconds(time))
      expect(wire).toMatch(/^\d+(\.\d{1,3})?$/)
      expect(toMs(JSON.parse(wire))).toBe(time)
    }),
  )
})

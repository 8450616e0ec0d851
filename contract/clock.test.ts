import { expect, test } from 'vitest'
import { fc } from '../tests/support/properties.ts'
import { SPENDABLE_MS, sendableAt } from './clock.ts'

/** The delay of one request, in ms. */
const delay = fc.integer({ min: 0, max: 60_000 })
const actual = fc.integer({ min: 1, max: 5_100 })

test('leaves at most SPENDABLE_MS between `actual` and the time of an attempt sent at `sendableAt` or later', () => {
  fc.assert(
    // The clock is read `start` ms after the press, the answer needs `back` ms, and Stop needs `stop` ms.
    fc.property(actual, delay, delay, delay, (actualMs, start, back, stop) => {
      const sentAt = Math.max(actualMs, sendableAt(start + back, actualMs))
      expect(sentAt + stop - start).toBeGreaterThanOrEqual(actualMs - SPENDABLE_MS)
    }),
  )
})

test("allows sending at Stop when Start's round trip took at most half a second", () => {
  fc.assert(
    fc.property(actual, fc.integer({ min: 0, max: 500 }), (actualMs, roundTrip) => {
      expect(sendableAt(roundTrip, actualMs)).toBeLessThanOrEqual(actualMs)
    }),
  )
})

test('allows sending an attempt that is too long to win as soon as Start is answered', () => {
  expect(sendableAt(9_000, 5_100)).toBe(13_600)
  expect(sendableAt(9_000, 5_101)).toBe(9_000)
})

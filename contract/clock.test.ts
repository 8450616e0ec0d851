import { expect, test } from 'vitest'
import { fc } from '../tests/support/properties.ts'
import { CLOCK_TOLERANCE_MS, isTooFast, sendableAt } from './clock.ts'

/** The delay of one request, in ms. */
const delay = fc.integer({ min: 0, max: 60_000 })
const shortDelay = fc.integer({ min: 0, max: 2_000 })
const actual = fc.integer({ min: 1, max: 5_100 })

/** Returns the time from the arrival of Start to the arrival of Stop, when Start is sent at 0 ms. */
const elapsed = (start: number, sentAt: number, stop: number) => sentAt + stop - start

test("reports an attempt as too fast when its time exceeds the server's measurement by more than the tolerance", () => {
  expect(isTooFast(2_250, 3_000, 750)).toBe(false)
  expect(isTooFast(2_249, 3_000, 750)).toBe(true)
  expect(isTooFast(-5, 700, 750)).toBe(false)
})

test('never reports an honest attempt as too fast when it is sent at `sendableAt` or later', () => {
  fc.assert(
    fc.property(actual, delay, delay, delay, (actualMs, start, back, stop) => {
      const sentAt = Math.max(actualMs, sendableAt(start + back, actualMs))
      expect(isTooFast(elapsed(start, sentAt, stop), actualMs, CLOCK_TOLERANCE_MS)).toBe(false)
    }),
  )
})

test("an attempt sent at Stop looks too fast only if Start's delay exceeds Stop's by more than the tolerance", () => {
  fc.assert(
    fc.property(actual, shortDelay, shortDelay, shortDelay, (actualMs, start, back, stop) => {
      fc.pre(actualMs >= start + back)
      const tooFast = isTooFast(elapsed(start, actualMs, stop), actualMs, CLOCK_TOLERANCE_MS)
      expect(tooFast).toBe(start - stop > CLOCK_TOLERANCE_MS)
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

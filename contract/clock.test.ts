import { expect, test } from 'vitest'
import { fc } from '../tests/support/properties.ts'
import { CLOCK_TOLERANCE_MS, isTooFast, sendableAt } from './clock.ts'

/** Delays of an honest attempt's requests, in ms: up to a minute each. */
const delay = fc.integer({ min: 0, max: 60_000 })
const shortDelay = fc.integer({ min: 0, max: 2_000 })
const actual = fc.integer({ min: 1, max: 5_100 })

/** The time that the server sees pass when Start is pressed at 0 and Stop is sent at `leave`. */
const elapsed = (start: number, leave: number, stop: number) => leave + stop - start

test('calls an attempt too fast when more than the tolerance is missing', () => {
  expect(isTooFast(2_250, 3_000, 750)).toBe(false)
  expect(isTooFast(2_249, 3_000, 750)).toBe(true)
  expect(isTooFast(-5, 700, 750)).toBe(false)
})

test('never calls an honest attempt too fast that waits until it is sendable', () => {
  fc.assert(
    fc.property(actual, delay, delay, delay, (actualMs, start, back, stop) => {
      const leave = Math.max(actualMs, sendableAt(start + back, actualMs))
      expect(isTooFast(elapsed(start, leave, stop), actualMs, CLOCK_TOLERANCE_MS)).toBe(false)
    }),
  )
})

test('calls an attempt without that wait too fast exactly when Start took longer than Stop by more than the tolerance', () => {
  fc.assert(
    fc.property(actual, shortDelay, shortDelay, shortDelay, (actualMs, start, back, stop) => {
      fc.pre(actualMs >= start + back)
      const tooFast = isTooFast(elapsed(start, actualMs, stop), actualMs, CLOCK_TOLERANCE_MS)
      expect(tooFast).toBe(start - stop > CLOCK_TOLERANCE_MS)
    }),
  )
})

test('needs no wait for a round trip of up to half a second', () => {
  fc.assert(
    fc.property(actual, fc.integer({ min: 0, max: 500 }), (actualMs, roundTrip) => {
      expect(sendableAt(roundTrip, actualMs)).toBeLessThanOrEqual(actualMs)
    }),
  )
})

test('needs no wait for an attempt too long to win', () => {
  expect(sendableAt(9_000, 5_100)).toBe(13_600)
  expect(sendableAt(9_000, 5_101)).toBe(9_000)
})

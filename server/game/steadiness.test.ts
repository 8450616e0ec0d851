import { expect, test } from 'vitest'
import { isTooSteady, STEADINESS_WINDOW } from './steadiness.ts'

test('fewer attempts than a window say nothing, however steady', () => {
  expect(isTooSteady([])).toBe(false)
  expect(isTooSteady(Array(STEADINESS_WINDOW - 1).fill(0))).toBe(false)
  expect(isTooSteady(Array(STEADINESS_WINDOW).fill(0))).toBe(true)
})

test('only the last window counts', () => {
  const wild = [500, -300, 80]
  const steady = Array<number>(STEADINESS_WINDOW).fill(12)
  expect(isTooSteady([...wild, ...steady])).toBe(true)
  expect(isTooSteady([...steady, ...wild])).toBe(false)
})

test('a spread of just under 7 ms is too steady, 7 ms is not', () => {
  // Half at −x, half at +x: a sample of 40 has the deviation x·√(40/39).
  const spread = (deviation: number) =>
    Array.from({ length: STEADINESS_WINDOW }, (_, n) => (n % 2 ? 1 : -1) * deviation * Math.sqrt(39 / 40))
  expect(isTooSteady(spread(6.999))).toBe(true)
  expect(isTooSteady(spread(7.001))).toBe(false)
})

import { describe, expect, test } from 'vitest'
import { describeDifference } from '../lib/format.ts'
import { biasOf, isBestYet, recordOf } from './timing.ts'

const DIFFERENCES = [-219, -60, -19, 1, 21, 41, 61, 102, 261]

test('takes the median as the typical difference', () => {
  expect(biasOf(DIFFERENCES)).toBe(21)
  expect(biasOf(DIFFERENCES.map(ms => -2 * ms))).toBe(-42)
  expect(biasOf([10, 20])).toBe(15)
  expect(biasOf([38])).toBe(38)
})

test.each([
  [0, 'right on time'],
  [999, '999 ms late'],
  [-1_240, '1.24 s early'],
  [1_005, '1.01 s late'],
])('describes a difference of %i ms as "%s"', (ms, text) => {
  expect(describeDifference(ms)).toBe(text)
})

describe('the record of a player', () => {
  const attempt = (ms: number, verified = true) => ({ difference: ms / 1_000, verified })

  test('has the closest difference and the number of latest hits in a row', () => {
    const attempts = [attempt(-100), attempt(12), attempt(300), attempt(-40)]
    expect(recordOf(attempts)).toEqual({ bestMs: 12, streak: 2 })
  })

  test('has no streak after a miss', () => {
    expect(recordOf([attempt(101), attempt(10)])).toMatchObject({ streak: 0 })
  })

  test('ignores unverified attempts', () => {
    const attempts = [attempt(40), attempt(700, false), attempt(1, false), attempt(-20)]
    expect(recordOf(attempts)).toEqual({ bestMs: 20, streak: 2 })
  })
})

test.each([
  { others: [300, -40], ms: 39, isBest: true },
  { others: [300, -40], ms: -40, isBest: false },
  { others: [], ms: 3, isBest: false },
  { others: [900], ms: 300, isBest: true },
  { others: [900], ms: 301, isBest: false },
])('isBestYet returns $isBest for $ms ms after differences of $others ms', ({ others, ms, isBest }) => {
  const attempts = [ms, ...others].map(ms => ({ difference: ms / 1_000, verified: true }))
  expect(isBestYet(attempts, ms)).toBe(isBest)
  expect(isBestYet(attempts, ms + 1), 'a result that is not recorded yet').toBe(false)
})

test('isBestYet ignores unverified attempts', () => {
  const attempts = [
    { difference: 0.008, verified: true },
    { difference: 0.005, verified: false },
    { difference: 0.3, verified: true },
  ]
  expect(isBestYet(attempts, 8)).toBe(true)
})

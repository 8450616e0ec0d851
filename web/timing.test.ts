import { describe, expect, test } from 'vitest'
import { describeDifference } from './difference.ts'
import { describeTiming, isBestYet, recordOf, timingOf } from './timing.ts'

/** Half of them are within 40 ms of 21 ms late: a deviation of 40, which a normal spread of 59 would have. */
const USUAL = [-219, -60, -19, 1, 21, 41, 61, 102, 261]

test('bias is the middle of all attempts, and spread what two thirds of them are within', () => {
  expect(timingOf(USUAL)).toEqual({ count: 9, biasMs: 21, spreadMs: 59 })
  expect(timingOf(USUAL.map(ms => -2 * ms))).toEqual({ count: 9, biasMs: -42, spreadMs: 119 })
  expect(timingOf([10, 20])).toEqual({ count: 2, biasMs: 15, spreadMs: 7 })
})

test('one round forgotten for a minute changes little', () => {
  expect(timingOf([...USUAL, 60_000])).toEqual({ count: 10, biasMs: 31, spreadMs: 90 })
})

test('no attempt has no timing, one attempt has no spread', () => {
  expect(timingOf([])).toEqual({ count: 0, biasMs: 0, spreadMs: null })
  expect(timingOf([38])).toEqual({ count: 1, biasMs: 38, spreadMs: null })
})

test('the sentence says late or early, and how widely', () => {
  const timing = { count: 30, biasMs: 21, spreadMs: 158 }
  expect(describeTiming(timing)).toEqual({ bias: '21 ms late', spread: 'give or take 158 ms' })
  expect(describeTiming({ count: 1, biasMs: -3, spreadMs: null })).toEqual({
    bias: '3 ms early',
    spread: null,
  })
})

test.each([
  [0, 'right on time'],
  [999, '999 ms late'],
  [-1_240, '1.24 s early'],
  [1_005, '1.01 s late'],
])('a difference of %i ms is "%s"', (ms, words) => {
  expect(describeDifference(ms)).toBe(words)
})

describe('the record of a player', () => {
  const attempt = (ms: number, verified = true) => ({ difference: ms / 1_000, verified })

  test('is the closest attempt, the hits in a row and their share', () => {
    const attempts = [attempt(-40), attempt(300), attempt(12), attempt(-100)]
    expect(recordOf(attempts)).toEqual({ bestMs: 12, streak: 2, hitShare: 0.75 })
  })

  test('has no streak after a miss', () => {
    expect(recordOf([attempt(10), attempt(101)])).toMatchObject({ streak: 0 })
  })

  test('is not broken by an attempt that was not verified, which does not count either', () => {
    const attempts = [attempt(40), attempt(700, false), attempt(1, false), attempt(-20)]
    expect(recordOf(attempts)).toEqual({ bestMs: 20, streak: 2, hitShare: 1 })
  })
})

test.each([
  { others: [300, -40], ms: 39, isBest: true },
  { others: [300, -40], ms: -40, isBest: false },
  { others: [], ms: 3, isBest: false },
  { others: [900], ms: 300, isBest: true },
  { others: [900], ms: 301, isBest: false },
])('$ms ms after $others is the best yet: $isBest', ({ others, ms, isBest }) => {
  const attempts = [ms, ...others].map(ms => ({ difference: ms / 1_000, verified: true }))
  expect(isBestYet(attempts, ms)).toBe(isBest)
  expect(isBestYet(attempts, ms + 1), 'of a result that is not recorded yet').toBe(false)
})

test('what was not verified is nothing that a best has to be closer than', () => {
  const attempts = [
    { difference: 0.008, verified: true },
    { difference: 0.005, verified: false },
    { difference: 0.3, verified: true },
  ]
  expect(isBestYet(attempts, 8)).toBe(true)
})

import { expect, test } from 'vitest'
import { biasOf, isBestYet, recordOf } from './timing.ts'

const attempt = (ms: number, verified = true) => ({ difference: ms / 1_000, verified })

test('takes the median as the typical difference', () => {
  const differences = [-219, -60, -19, 1, 21, 41, 61, 102, 261]
  expect(biasOf(differences)).toBe(21)
  expect(biasOf(differences.map(ms => -2 * ms))).toBe(-42)
  expect(biasOf([10, 20])).toBe(15)
  expect(biasOf([38])).toBe(38)
})

test.each([
  ['the latest hits in a row', [attempt(-100), attempt(12), attempt(300), attempt(-40)], 12, 2],
  ['no streak after a miss', [attempt(101), attempt(10)], 10, 0],
  ['verified attempts only', [attempt(40), attempt(700, false), attempt(1, false), attempt(-20)], 20, 2],
])('the record of a player has the closest difference and %s', (_what, attempts, bestMs, streak) => {
  expect(recordOf(attempts)).toEqual({ bestMs, streak })
})

test.each([
  { others: [attempt(300), attempt(-40)], ms: 39, isBest: true },
  { others: [attempt(300), attempt(-40)], ms: -40, isBest: false },
  { others: [attempt(5, false), attempt(300)], ms: 8, isBest: true },
  { others: [], ms: 3, isBest: false },
  { others: [attempt(900)], ms: 300, isBest: true },
  { others: [attempt(900)], ms: 301, isBest: false },
])('isBestYet returns $isBest for $ms ms after differences of $others', ({ others, ms, isBest }) => {
  const attempts = [attempt(ms), ...others]
  expect(isBestYet(attempts, ms)).toBe(isBest)
  expect(isBestYet(attempts, ms + 1), 'a result that is not recorded yet').toBe(false)
  expect(isBestYet([attempt(ms, false), ...others], ms), 'an unverified result').toBe(false)
})

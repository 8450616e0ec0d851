import { expect, test } from 'vitest'
import { biasOf } from './timing.ts'

test('takes the median as the typical difference', () => {
  const differences = [-219, -60, -19, 1, 21, 41, 61, 102, 261]
  expect(biasOf(differences)).toBe(21)
  expect(biasOf(differences.map(ms => -2 * ms))).toBe(-42)
  expect(biasOf([10, 20])).toBe(15)
  expect(biasOf([38])).toBe(38)
})

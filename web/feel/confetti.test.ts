import { expect, test } from 'vitest'
import { strengthOf } from './confetti.ts'

test('increases the strength of confetti with the prize', () => {
  expect([1, 10, 1_000].map(strengthOf)).toEqual([0.85, 1.1, 1.6])
})

import { expect, test } from 'vitest'
import { strengthOf } from './confetti.ts'

test('makes confetti stronger for a larger prize', () => {
  expect([1, 10, 1_000].map(strengthOf)).toEqual([0.85, 1.1, 1.6])
})

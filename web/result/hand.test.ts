import { expect, test } from 'vitest'
import { handOf, handWith } from './hand.ts'

/** Newest first. */
const DIFFERENCES = [300, -100, 50, -20, 30, 400, 200, -200, 100, 105, 7]

test.each([
  [0, [], []],
  [1, [300], [300]],
  [4, [300, -100, 50, -20], [-20, 50, -100, 300]],
  [6, DIFFERENCES, [300]],
  [9, DIFFERENCES, [-20, 50, -100, 300]],
])('after round %i, the hand has the rounds since the last hand, oldest first', (rounds, all, hand) => {
  expect(handOf(rounds, all)).toEqual({ differencesMs: hand, averages: null })
})

test('a complete hand has the average of its differences and of the hand before', () => {
  const { differencesMs, averages } = handOf(10, DIFFERENCES)
  expect(differencesMs).toEqual([30, -20, 50, -100, 300])
  expect(averages).toEqual({ nowMs: 100, beforeMs: 201 })
  expect(handOf(5, DIFFERENCES.slice(0, 5)).averages).toEqual({ nowMs: 100, beforeMs: null })
})

test('while the number of rounds is unknown, the last five rounds are shown without averages', () => {
  expect(handOf(null, DIFFERENCES)).toEqual({ differencesMs: [30, -20, 50, -100, 300], averages: null })
})

test.each([
  ['recorded', 2, [130, 7], [7, 130]],
  ['on its way', 1, [7], [7, 130]],
  ['the first of a new hand', 5, DIFFERENCES, [130]],
])('a result that is %s belongs to its hand', (_, rounds, before, hand) => {
  expect(handWith(130, rounds, before)).toEqual(hand)
})

import { expect, test } from 'vitest'
import { completeHands, handOf, handWith } from './hand.ts'

/** Newest first. */
const DIFFERENCES = [300, -100, 50, -20, 30, 400, 200, -200, 100, 105, 7]

const played = (differencesMs: readonly number[], unverified?: number) =>
  differencesMs.map((differenceMs, index) => ({
    ...{ id: 100 - index, username: `name ${index}`, difference: differenceMs / 1_000 },
    verified: index !== unverified,
  }))

test.each([
  [0, [], []],
  [1, [300], [300]],
  [4, [300, -100, 50, -20], [-20, 50, -100, 300]],
  [6, DIFFERENCES, [300]],
  [9, DIFFERENCES, [-20, 50, -100, 300]],
])('after round %i, the hand has the rounds since the last hand, oldest first', (rounds, all, hand) => {
  expect(handOf(rounds, played(all))).toEqual({ differencesMs: hand, averages: null })
})

test('a complete hand has the average of its differences and of the hand before', () => {
  const { differencesMs, averages } = handOf(10, played(DIFFERENCES))
  expect(differencesMs).toEqual([30, -20, 50, -100, 300])
  expect(averages).toEqual({ nowMs: 100, beforeMs: 201 })
  expect(handOf(5, played(DIFFERENCES.slice(0, 5))).averages).toEqual({ nowMs: 100, beforeMs: null })
})

test('a hand with a round that is not verified or not known has no average', () => {
  expect(handOf(10, played(DIFFERENCES, 4)).averages, 'its oldest round').toBeNull()
  expect(handOf(10, played(DIFFERENCES, 5)).averages, 'in the hand before').toEqual({
    nowMs: 100,
    beforeMs: null,
  })
  expect(handOf(10, played(DIFFERENCES.slice(0, 4))).averages).toBeNull()
})

test('while the number of rounds is unknown, the last five rounds are shown without averages', () => {
  const { differencesMs, averages } = handOf(null, played(DIFFERENCES))
  expect(differencesMs).toEqual([30, -20, 50, -100, 300])
  expect(averages).toBeNull()
})

test.each([
  [
    'all that are known completely',
    11,
    undefined,
    [
      [99, 'name 1', 120],
      [94, 'name 6', 122],
    ],
  ],
  ['none with an unverified round', 10, 4, [[95, 'name 5', 201]]],
  ['none while the number of rounds is unknown', null, undefined, []],
] as const)(
  'of the hands that have ended, lists %s, under the name of the fifth round',
  (_, rounds, unverified, hands) => {
    expect(completeHands(rounds, played(DIFFERENCES, unverified))).toEqual(
      hands.map(([id, username, averageMs]) => ({ id, username, averageMs })),
    )
  },
)

test.each([
  ['recorded', 2, [130, 7], [7, 130]],
  ['on its way', 1, [7], [7, 130]],
  ['the first of a new hand', 5, DIFFERENCES, [130]],
])('a result that is %s belongs to its hand', (_, rounds, before, hand) => {
  expect(handWith(130, rounds, before)).toEqual(hand)
})

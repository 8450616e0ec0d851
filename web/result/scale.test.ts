import { expect, test } from 'vitest'
import { stopped } from '../round/round.ts'
import { scaleOf, WHOLE } from './scale.ts'

test('shows half a second on each side of the target for a difference of up to 0.5 s', () => {
  for (const differenceMs of [-500, -41, 0, 500]) {
    const { shareOf } = scaleOf(stopped(3_360, 3_360 + differenceMs))
    expect([2_860, 3_260, 3_360, 3_860].map(shareOf)).toEqual([0, 0.4, 0.5, 1])
  }
})

test('shows the whole rail for a difference above 0.5 s', () => {
  for (const differenceMs of [-501, 501, 6_000])
    expect(scaleOf(stopped(3_360, 3_360 + differenceMs))).toBe(WHOLE)
  expect([0, 2_500, 5_000].map(WHOLE.shareOf)).toEqual([0, 0.5, 1])
})

import { expect, test } from 'vitest'
import { prizeTitle } from './messages.ts'

test.each([
  [null, 5, 'Yours to claim'],
  [5, 5, 'You won'],
  [2, 5, 'You won 2 more'],
])('calls a prize, with %s of its TAPS won just now and %i held, "%s"', (won, held, title) => {
  expect(prizeTitle(won, held)).toBe(title)
})

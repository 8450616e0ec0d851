import { expect, test } from 'vitest'
import { prizeTitle } from './messages.ts'

test.each([
  { won: null, held: 5, title: 'Yours to claim' },
  { won: 5, held: 5, title: 'You won' },
  { won: 2, held: 5, title: 'You won 2 more' },
])('returns $title when the result won $won of the $held TAPS held', ({ won, held, title }) => {
  expect(prizeTitle(won, held)).toBe(title)
})

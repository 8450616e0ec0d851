import { expect, test } from 'vitest'
import { prizeTitle } from './messages.ts'

test.each([
  { won: null, held: 5, title: 'Yours to claim' },
  { won: 5, held: 5, title: 'You won' },
  { won: 2, held: 5, title: 'You won 2 more' },
])('returns "$title" for $held TAPS held, of which the result won $won', ({ won, held, title }) => {
  expect(prizeTitle(won, held)).toBe(title)
})

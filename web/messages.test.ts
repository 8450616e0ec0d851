import { expect, test } from 'vitest'
import { prizeTitle } from './messages.ts'

test.each([
  { result: 'the page shows no win', won: null, held: 5, title: 'Yours to claim' },
  { result: 'the win is the whole hold', won: 5, held: 5, title: 'You won' },
  { result: 'the win is a part of the hold', won: 2, held: 5, title: 'You won 2 more' },
])('prizeTitle returns $title when $result', ({ won, held, title }) => {
  expect(prizeTitle(won, held)).toBe(title)
})

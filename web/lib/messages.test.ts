import { expect, test } from 'vitest'
import { prizeTitle } from './messages.ts'

test.each([
  ['Yours to claim', 'the page shows no win', null],
  ['You won', 'the last win is the whole hold', 5],
  ['You won 2 more', 'the last win is a part of the hold', 2],
])('prizeTitle returns "%s" when %s', (title, _when, won) => {
  expect(prizeTitle(won, 5)).toBe(title)
})

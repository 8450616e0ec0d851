import { expect, test } from 'vitest'
import { stopped } from './round.ts'
import { shareText } from './share.ts'

test.each([
  [3_210, 3_248, 'I stopped at 3.25 s for a target of 3.21 s, 0.038 s off. Can you come closer in TAPS?'],
  [2_000, 1_500, 'I stopped at 1.50 s for a target of 2.00 s, 0.500 s off. Can you come closer in TAPS?'],
  [
    1_000,
    1_000,
    'I stopped at 1.00 s for a target of 1.00 s: perfect, to the millisecond. Try to do that in TAPS!',
  ],
])('a target of %i ms stopped at %i ms is shared as "%s"', (targetMs, actualMs, text) => {
  expect(shareText(stopped(targetMs, actualMs))).toBe(text)
})

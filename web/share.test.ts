import { expect, test } from 'vitest'
import { stopped } from './round.ts'
import { shareText } from './share.ts'

test.each([
  [3_248, null, [38, 700], ['TAPS 3.25 s for 3.21 s', '🟫🟩 best 0.038 s', 'Closer?']],
  [3_248, null, [], ['TAPS 3.25 s for 3.21 s', '🟩 best 0.038 s', 'Closer?']],
  [3_210, 48, [400, 90, -2_000], ['TAPS 3.21 s for 3.21 s', '🟥🟦🟧🟨 best 0.000 s', 'won 48. Closer?']],
  [2_410, null, [-800, 250, 90, 12, 3, 1], ['TAPS 2.41 s for 3.21 s', '🟩🟩🟦⬜🟫 best 0.001 s', 'Closer?']],
])('a stop at %i ms that won %j after %j is three lines', (actualMs, won, before, lines) => {
  expect(shareText(stopped(3_210, actualMs), won, before).split('\n')).toEqual(lines)
})
